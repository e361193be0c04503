from webtools import form_tool

contact = form_tool("#contact", name="contact", description="Write to the shop.", submit="agent")
