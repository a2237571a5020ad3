/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }],
  },
  moduleNameMapper: {
    "^cdktf-google-cert-migration$": "<rootDir>/lib/index.ts",
    "^cdktf-google-cert-migration/(.*)$": "<rootDir>/lib/$1/index.ts",
  },
  coverageProvider: "v8",
  randomize: true,
};
