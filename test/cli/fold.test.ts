import fc from "fast-check";
import { folderFor, widthOf, wrapCommand } from "../../lib/cli/style";

import { formatTable } from "../../lib/cli/text-table";

const silent = { write: () => undefined };
const terminal = (columns: number) => {
  const io = { stdout: { ...silent, isTTY: true, columns }, env: { TERM: "xterm" } };
  return folderFor(io, "stdout");
};

test("breaks a long line between words and indents the continuation to the start of its text", () => {
  const fold = terminal(40);
  expect(fold("    why     nobody answers for the zone, so that no certificate is issued", 12)).toBe(
    ["    why     nobody answers for the zone,", "            so that no certificate is", "            issued"].join(
      "\n",
    ),
  );
  expect(fold("    why     short", 12)).toBe("    why     short");
});

test("gives a word that is too long a line of its own, and breaks nothing if too little room remains", () => {
  const name = "projects/p/locations/global/certificateMaps/m";
  expect(terminal(30)(`  - see ${name} there`, 4)).toBe(`  - see\n    ${name}\n    there`);
  expect(terminal(30)(`${" ".repeat(20)}some words that are many`, 20)).not.toContain("\n");
});

test("keeps each line whole in a pipe, in a file and on a dumb terminal", () => {
  const line = "word ".repeat(40);
  const stdout = { ...silent, isTTY: true, columns: 40 };
  expect(folderFor({ stdout: silent, env: {} }, "stdout")(line, 0)).toBe(line);
  expect(folderFor({ stdout, env: { TERM: "dumb" } }, "stdout")(line, 0)).toBe(line);
  expect(folderFor({ stderr: silent, env: { TERM: "xterm" } }, "stderr")(line, 0)).toBe(line);
});

test("loses no text, and only single words are wider than the terminal", () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom("a", "b", "界", "-", "e\u0301"), minLength: 1, maxLength: 30 }),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 30, max: 60 }), fc.integer({ min: 0, max: 6 }), (all, columns, indent) => {
      const lines = terminal(columns)(" ".repeat(indent) + all.join(" "), indent).split("\n");
      expect(lines.map((line) => line.trim()).join(" ")).toBe(all.join(" "));
      for (const line of lines) if (line.trim().includes(" ")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }),
  );
});

test("folds the last column of a table below its header", () => {
  const rows = [["zone-missing", "the zone that the record goes to is not there"]];
  expect(formatTable(["code", "meaning"], rows, undefined, 40)).toBe(
    ["code          meaning", "zone-missing  the zone that the record", "              goes to is not there", ""].join(
      "\n",
    ),
  );
});

test.each([
  ["dig example.com A", ["dig example.com A"]],
  [
    "dig @127.0.0.1 _acme-challenge.example.com CNAME",
    ["dig @127.0.0.1 \\", "_acme-challenge.example.com \\", "CNAME"],
  ],
  ["gcloud --filter='a b c d e f g h i j' list", ["gcloud \\", "--filter='a b c d e f g h i j' \\", "list"]],
  [`gcloud 'it'\\''s a name with spaces' list`, ["gcloud \\", `'it'\\''s a name with spaces' \\`, "list"]],
  ["an unclosed ' quote stays in one line", ["an unclosed ' quote stays in one line"]],
])("breaks the command line %s so that a shell reads one command", (line, lines) => {
  expect(wrapCommand(line, 32)).toEqual(lines);
});
