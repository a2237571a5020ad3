import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(__dirname, "..", "defects");
const text = readFileSync(join(folder, "README.md"), "utf8");
const rows = [...text.matchAll(/^(\S+): (\d+) of (\d+) defects found, (\d+) of (\d+) harmless inputs accepted$/gm)];
const [files, [total]] = [rows.slice(0, -1), rows.slice(-1)];

/** `npm run defects` compares each row with what it counts. */
test("the page on defects has a row for each file, in the order of their names", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  expect(files.map(([, name]) => `${name}.ts`)).toEqual(names.sort());
});

test("the page on defects has the sums of its rows", () => {
  const sums = [2, 3, 4, 5].map((index) => files.reduce((sum, row) => sum + Number(row[index]), 0));
  expect(total?.slice(1)).toEqual(["all", ...sums.map(String)]);
});

test("the page on defects names no defect that is missed, and no harmless input that is refused", () => {
  expect(rows.filter(([, , found, defects, accepted, inputs]) => found !== defects || accepted !== inputs)).toEqual([]);
});
