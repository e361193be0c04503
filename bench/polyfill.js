// Microseconds of registering `count` tools, of listing them and of a call, through the polyfill or without it.
async ([count, asText]) => {
  const context = document.modelContext;
  const inputSchema = { type: "object", properties: { text: { type: "string" } } };
  const execute = (input) => ({ content: [{ type: "text", text: input.text }] });
  const time = async (action) => {
    const began = performance.now();
    await action();
    return (performance.now() - began) * 1000;
  };
  const controller = new AbortController();
  const names = Array.from({ length: count }, (_, index) => `tool_${index}`);
  const register = await time(() =>
    Promise.all(
      names.map((name) =>
        context.registerTool(
          { name, description: "d", inputSchema, execute },
          { signal: controller.signal },
        ),
      ),
    ),
  );
  const list = [];
  for (let round = 0; round < 5; round += 1) list.push(await time(() => context.getTools()));
  const tools = await context.getTools();
  const input = asText ? '{"text":"x"}' : { text: "x" };
  const calls = [];
  for (let call = 0; call < 100; call += 1)
    calls.push(await time(() => context.executeTool(tools[call % count], input)));
  controller.abort();
  await context.getTools();
  const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
  return { register, list: median(list), execute: median(calls) };
};
