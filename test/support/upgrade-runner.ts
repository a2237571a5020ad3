import { runCli } from "./io";
import type { Runner } from "./upgrade-examples";

/** Runs examples and the command in this process, each example with modules of its own. */
export const runner: Runner = {
  load: (file) => jest.isolateModules(() => require(file)),
  command: async (words) => {
    const { exitCode, stderr } = await runCli(words);
    if (exitCode !== 0) throw new Error(stderr);
  },
};
