"use strict";

// Runs test files in this process, on a message of `main.ts`: modules of node_modules are loaded once for all mutants.
const { runCLI } = require("jest");

const mutation = {
  active: -1,
  reached: new Set(),
  is(id) {
    this.reached.add(id);
    return id === this.active;
  },
};
globalThis.mutation = mutation;

/** Without `bail`, with which Jest ends the process after a failure: the next mutant would seem to have ended it. */
const options = {
  runInBand: true,
  passWithNoTests: true,
  silent: true,
  reporters: [],
  watchman: false,
  runTestsByPath: true,
  selectProjects: ["cdktf"],
  randomize: false,
  testTimeout: 20_000,
};

async function run({ active, files }) {
  mutation.active = active;
  process.env.MUTATION = String(active);
  mutation.reached.clear();
  for (const file of files) {
    const { results } = await runCLI({ $0: "jest", _: [file], ...options }, [process.cwd()]);
    const failed = results.testResults.find((result) => result.numFailingTests > 0 || result.testExecError);
    if (!results.success) return { passed: false, reached: [], message: failed?.failureMessage?.slice(0, 500) };
  }
  return { passed: true, reached: [...mutation.reached] };
}

process.on("message", (message) => {
  run(message).then(
    (result) => process.send(result),
    (error) => process.send({ passed: false, reached: [], message: String(error.stack) }),
  );
});
