// Microseconds of a call through `executeTool`, for each of several tools that take turns: medians of `count` calls.
async ([names, input, count, together]) => {
  const listed = await document.modelContext.getTools();
  const tools = names.map((name) => listed.find((each) => each.name === name));
  const call = async (tool) => JSON.parse(await document.modelContext.executeTool(tool, input));
  const answers = await Promise.all(
    tools.map(async (tool) => JSON.stringify((await call(tool)).content)),
  );
  if (new Set(answers).size > 1 || answers[0] === undefined)
    throw new Error(`${names} do not give the same answer`);
  const times = names.map(() => []);
  for (let turn = 0; turn < count; turn += 1)
    for (let index = 0; index < tools.length; index += 1) {
      // each follows each other one equally often
      const chosen = (index + turn) % tools.length;
      const began = performance.now();
      if (together === 1) await document.modelContext.executeTool(tools[chosen], input);
      else
        await Promise.all(
          Array.from({ length: together }, () =>
            document.modelContext.executeTool(tools[chosen], input),
          ),
        );
      times[chosen].push(((performance.now() - began) * 1000) / together);
    }
  return times.map((each) => each.sort((a, b) => a - b)[count >> 1]);
};
