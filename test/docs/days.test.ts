import { readFileSync } from "node:fs";
import { join } from "node:path";
import { daysFailures } from "../../lib/rehearsal";
import measured from "../fixtures/days/failures.json";

test("the page has the measured days of every failure", () => {
  const page = readFileSync(join(__dirname, "../../docs/rehearsal.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)`: .* \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
  const shown = Object.fromEntries(rows.map(([, name = "", ...numbers]) => [name, numbers.map(Number)]));
  const expected = Object.entries(measured).map(([name, { alert, firstFailure }]) => [
    name,
    [alert, firstFailure, firstFailure - alert],
  ]);
  expect(shown).toEqual(Object.fromEntries(expected));
  expect(Object.keys(shown).sort()).toEqual(daysFailures.map(({ name }) => name).sort());
});
