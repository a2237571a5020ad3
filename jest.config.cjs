// Terraform runs for about a second, and spends a fifth of its CPU time on collecting garbage.
process.env.GOGC ??= "400";

const common = {
  testEnvironment: "<rootDir>/test/support/jest/environment.cjs",
  runtime: "<rootDir>/test/support/jest/runtime.cjs",
  roots: ["<rootDir>/test"],
  // A user's project: tried with the packed tarball by `npm run test:package`.
  testPathIgnorePatterns: ["/node_modules/", "/test/fixtures/"],
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
  },
};

const modules = {
  "^cdktf-google-cert-migration$": "<rootDir>/lib/index.ts",
  "^cdktf-google-cert-migration/(.*)$": "<rootDir>/lib/$1/index.ts",
  // Properties draw anew in each run, and the same again where SEED is set.
  ...(process.env.SEED && { "^fast-check$": "<rootDir>/test/support/seeded-fast-check.ts" }),
};

/** CDK Terrain in place of cdktf, for the constructs and also for the installed bindings: npm does not have its bindings everywhere. */
const cdkTerrain = {
  "^cdktf$": "cdktn",
  "^@cdktn/provider-google/(.*)$": "@cdktf/provider-google/$1",
  "^cdktf-google-cert-migration/cdktn$": "<rootDir>/lib/index.ts",
};

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    {
      ...common,
      displayName: "cdktf",
      testMatch: ["**/*.test.ts"],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, "[.]cdktn[.]test[.]ts$"],
      moduleNameMapper: modules,
    },
    {
      ...common,
      displayName: "cdktn",
      testMatch: ["**/test/constructs/**/*.test.ts"],
      // They import cdktf, which is cdktn here: see "Tests" in docs/contributing/architecture.md.
      testEnvironmentOptions: { unsharedPackages: ["@cdktf/provider-google"] },
      moduleNameMapper: { ...cdkTerrain, ...modules },
    },
  ],
  // The default leaves a core to the terminal; on two cores that is half of the machine.
  maxWorkers: "100%",
  // For tests that hang. On a machine that is busy a test of a second takes ten; one that states how long something may take measures it itself.
  // Jest reads this setting only here: a project's own has no effect.
  testTimeout: 30_000,
  coverageProvider: "v8",
  randomize: true,
};
