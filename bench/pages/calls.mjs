/** The tools of `calls.py` in JavaScript: as they are, and with their input checked by zod and by ajv. */
import Ajv from "ajv";
import { z } from "zod";

const text = (input) => input.text;
const items = ({ items }) => {
  const price = items.reduce((sum, item) => sum + item.count * item.price, 0);
  return `${items.length}: ${price.toFixed(2)}`;
};

const zodText = z.object({ text: z.string() });
const zodItems = z.object({
  items: z.array(
    z.object({ sku: z.string(), name: z.string(), count: z.int(), price: z.number() }),
  ),
});

const textSchema = z.toJSONSchema(zodText);
const itemsSchema = z.toJSONSchema(zodItems);

function withAjv(schema) {
  const { $schema, ...plain } = schema;
  const validate = new Ajv().compile(plain);
  return (input) => {
    if (!validate(input)) throw new TypeError(validate.errors[0].message);
    return input;
  };
}

/** One turn of the event loop, without the clamp of timers. */
function turn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function register(name, inputSchema, handler) {
  const execute = async (input) => ({
    content: [{ type: "text", text: await handler(input) }],
  });
  document.modelContext.registerTool({
    name,
    description: "Return the text.",
    inputSchema,
    execute,
  });
}

register("text_js", textSchema, text);
register("text_zod", textSchema, (input) => text(zodText.parse(input)));
const ajvText = withAjv(textSchema);
register("text_ajv", textSchema, (input) => text(ajvText(input)));
register("text_js_later", textSchema, async (input) => {
  await turn();
  return text(input);
});
register("items_js", itemsSchema, items);
register("items_zod", itemsSchema, (input) => items(zodItems.parse(input)));
const ajvItems = withAjv(itemsSchema);
register("items_ajv", itemsSchema, (input) => items(ajvItems(input)));
