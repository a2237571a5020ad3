import { cut, paintFor, widthOf } from "../../lib/cli/style";
import { formatTable } from "../../lib/cli/text-table";
import { testIo } from "../support/io";

const red = "\u001b[31mfailed\u001b[0m";

test.each([
  ["a pipeline", false, {}, undefined, "failed"],
  ["a terminal", true, {}, undefined, red],
  ["a terminal that is dumb", true, { TERM: "dumb" }, undefined, "failed"],
  ["--no-color", true, {}, false, "failed"],
  ["--no-color against FORCE_COLOR", true, { FORCE_COLOR: "1" }, false, "failed"],
  ["NO_COLOR", true, { NO_COLOR: "1" }, undefined, "failed"],
  ["NO_COLOR that is empty", true, { NO_COLOR: "" }, undefined, red],
  ["FORCE_COLOR in a pipeline", false, { FORCE_COLOR: "" }, undefined, red],
  ["FORCE_COLOR against NO_COLOR", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, undefined, red],
  ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, undefined, "failed"],
])("%s", (_, isTTY, env, color, expected) => {
  const stdout = { write: () => true, isTTY };
  const io = testIo({ stdout, env, ...(color === undefined ? {} : { color }) });
  expect(paintFor(io, "stdout")("bad", "failed")).toBe(expected);
});

test.each([
  ["example.com", 11],
  ["例え", 4],
  ["e\u0301", 1],
  ["…", 1],
])("measures %s as %i columns", (text, expected) => {
  expect(widthOf(text)).toBe(expected);
});

test.each([
  ["example", 7, "example"],
  ["example", 6, "examp…"],
  ["例え例", 4, "例…"],
  ["example", 0, ""],
])("cuts %s to %i columns as %j", (text, columns, expected) => {
  expect(cut(text, columns)).toBe(expected);
});

test("aligns the columns of a table without counting color, and escapes cells", () => {
  const rows = [
    ["例え", "failed", "\u001b[2J"],
    ["example", "", ""],
  ];
  expect(formatTable(["name", "state", "why"], rows, (cell, column, row) => `<${column}${row} ${cell}>`)).toBe(
    "name     state   why\n<00 例え>     <10 failed>  <20 \\u{1b}[2J>\n<01 example>\n",
  );
});
