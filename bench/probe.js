// Put into each page before its own scripts: `visit` has the moments, in milliseconds since the navigation's start.
if (document.modelContext) {
  const context = document.modelContext;
  let longest = 0;
  const note = (entries) => {
    for (const { duration } of entries) longest = Math.max(longest, duration);
  };
  const tasks = new PerformanceObserver((list) => note(list.getEntries()));
  tasks.observe({ type: "longtask", buffered: true });
  let settleListed;
  const listed = new Promise((resolve) => (settleListed = resolve));
  const look = async () => {
    const tools = await context.getTools();
    if (tools.length < 10) return;
    context.removeEventListener("toolchange", look);
    settleListed({ tool: tools.find(({ name }) => name === "echo_0"), tools: performance.now() });
  };
  context.addEventListener("toolchange", look);
  const answer = async () => {
    const { tool, tools } = await listed;
    const text = await context.executeTool(tool, { text: "x" });
    const answer = performance.now();
    if (JSON.parse(text).content[0].text !== "x") throw new Error(`not the answer: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100)); // the task that answered has ended, and is reported
    note(tasks.takeRecords());
    return { tools, answer, longest };
  };
  window.visit = { listed: () => listed.then(({ tools }) => ({ tools })), answered: answer };
}
