// Make that many calls of Python's tools: at once, later, refused for their input, raising, given up.
async (count) => {
  const listed = await document.modelContext.getTools();
  const tools = Object.fromEntries(listed.map((tool) => [tool.name, tool]));
  const run = (name, input, options) =>
    document.modelContext.executeTool(tools[name], input, options).catch(() => undefined);
  for (let call = 0; call < count; call += 1) {
    const kind = call % 10;
    if (kind === 0) await run("text_later", { text: "x" });
    else if (kind === 1) await run("text", { text: call });
    else if (kind === 2) await run("fail", { text: "x" });
    else if (kind === 3) {
      const giveUp = new AbortController();
      const called = run("text_later", { text: "x" }, { signal: giveUp.signal });
      giveUp.abort();
      await called;
    } else await run("text", { text: "x".repeat(100) });
  }
};
