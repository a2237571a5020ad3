import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(__dirname, "..", "..");

/** Folders of tests that have no folder of the same path in `lib`, with what their tests cover. */
const elsewhere: Readonly<Record<string, string>> = {
  "": "examples, pipelines and properties of several modules",
  bench: "the measurements in `bench`",
  browser: "reports in Chromium",
  build: "the scripts in `build`",
  "cloud/clients": "the rehearsal cloud with real client programs",
  conformance: "the suite in `conformance`",
  defects: "defects of projects and services, each with the command that finds it",
  docs: "pages, README and generated files",
  "fixtures/user-project": "a user's project, tested with the packed tarball",
  mutate: "the script that changes the code to find what no test checks",
  providers: "recordings of the google provider",
  "rehearsal/scenarios": "the scenarios of the fault matrix",
  support: "helpers of tests",
  "support/jest": "Jest's environment and module loader",
};

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(?:test|robustness|browser)\.ts$/.test(name),
);
const folders = [...new Set(files.map((file) => dirname(file).replace(/^\.$/, "")))].sort();

test("every folder of test files has the path of a folder in lib, or is listed as an exception", () => {
  const withoutFolderInLib = folders.filter((folder) => folder === "" || !existsSync(join(root, "lib", folder)));
  expect(withoutFolderInLib).toEqual(Object.keys(elsewhere).sort());
});

test("the architecture page lists the folders of tests that have no folder in lib", () => {
  const page = readFileSync(join(root, "docs", "contributing", "architecture.md"), "utf8");
  const missing = Object.keys(elsewhere).filter((folder) => folder !== "" && !page.includes(`\`test/${folder}\``));
  expect(missing).toEqual([]);
});
