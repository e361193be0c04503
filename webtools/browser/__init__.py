"""The page's side of every port; the only package that knows it runs in Pyodide.

Environment: Pyodide 314 on the main thread of a page. `webtools.browser.host.start` is given one JavaScript
object, the border (`webtools.browser.border`), and gives one Python object back; between the two only text,
numbers and None cross, so that no call makes a proxy.
"""
