import { expose } from "/webtools/webtools.js";

class Refusal extends Error {
  code = "REFUSED";
}

expose("page", {
  add: (a, b) => a + b,
  later0: async (value) => value,
  later: (value) => new Promise((resolve) => setTimeout(() => resolve(value), 20)),
  nothing: () => {},
  refuse: () => {
    throw new Refusal("not today");
  },
  refuseLater: async () => {
    throw new Refusal("not tomorrow");
  },
  loop: () => {
    const loop = [];
    loop.push(loop);
    return loop;
  },
  deep: async () => JSON.parse("[".repeat(6500) + "]".repeat(6500)),
  forever: () => new Promise(() => {}),
});
