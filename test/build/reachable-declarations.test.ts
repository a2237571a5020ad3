import { reachableDeclarations } from "../../build/reachable-declarations";

const files: Readonly<Record<string, string>> = {
  "dist/index.d.ts":
    'export * from "./plan";\nexport type { Io } from "./cli/command";\nimport data from "./data.json";',
  "dist/plan/index.d.ts":
    'import type { Spec } from "./spec";\nexport declare const spec: import("../text/quote").Quoted;',
  "dist/plan/spec.d.ts": 'import "./merged";\nimport { Construct } from "constructs";\nexport * from "./index";',
  "dist/plan/merged.d.ts": "",
  "dist/plan/internal.d.ts": 'export * from "./spec";',
  "dist/cli/command.d.ts": "export interface Io {}",
  "dist/text/quote.d.ts": "",
};

test("finds every declaration that an entry point refers to, and no other", () => {
  const found = reachableDeclarations(["dist/index.d.ts"], (path) => files[path]);
  expect([...found].sort()).toEqual(
    Object.keys(files)
      .filter((path) => !path.includes("internal"))
      .sort(),
  );
});

test("refuses a reference to a file that does not exist", () => {
  const read = () => 'export * from "./gone";';
  expect(() => reachableDeclarations(["dist/a.d.ts"], (path) => (path === "dist/a.d.ts" ? read() : undefined))).toThrow(
    "dist/a.d.ts refers to dist/gone.d.ts, which does not exist",
  );
});
