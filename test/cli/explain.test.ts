import { allCodes } from "../../lib/explain/codes";
import { runCli, runWith, testIo } from "../support/io";

test("explains a code with its meaning, its remedy and the commands that report it", async () => {
  expect(await runCli(["explain", "domain-caa"])).toEqual({
    exitCode: 0,
    stdout: [
      "domain-caa (error, found by wait, status, monitor)",
      "  meaning  A CAA record forbids the certificate, or could not be looked up",
      '  remedy   allow pki.goog, as in: CAA 0 issue "pki.goog", at the domain or the nearest parent that has CAA records',
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("explains a code that several commands use differently for each command", async () => {
  const { stdout } = await runCli(["explain", "connection-refused", "--json"]);
  const { schemaVersion, codes } = JSON.parse(stdout);
  expect(schemaVersion).toBe(1);
  expect(codes.map(({ commands }: { readonly commands: readonly string[] }) => commands)).toEqual([
    ["inventory"],
    ["verify", "monitor", "watch"],
  ]);
});

test("lists all codes without an argument", async () => {
  const { stdout } = await runCli(["explain"]);
  expect(stdout.split("\n")[0]).toMatch(/^code +severity +found by +meaning$/);
  expect(stdout.trimEnd().split("\n")).toHaveLength(allCodes().length + 1);
});

test("prints a reference of all codes with --markdown, with four cells in every row", async () => {
  const { stdout } = await runCli(["explain", "--markdown"]);
  expect(stdout).toMatch(
    /^# What commands find, and what to do\n\n\[`plan`\]\(#plan\) · .*\n\n## `plan`\n\n\| Code \| Severity \| Meaning \| Remedy \|\n/,
  );
  const rows = stdout.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows).toHaveLength(allCodes().length);
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
});

test.each([
  [
    "hostname-not-publc",
    "'hostname-not-publc' is not a code of a finding or an error; did you mean 'hostname-not-public'? [code-unknown]",
  ],
  [
    "record-mising",
    "'record-mising' is not a code of a finding or an error; did you mean 'record-missing'? [code-unknown]",
  ],
  [
    "everything",
    "'everything' is not a code of a finding or an error; 'cert-migration explain' lists them [code-unknown]",
  ],
])("refuses %s with a suggestion", async (code, expected) => {
  expect(await runCli(["explain", code])).toEqual({ exitCode: 2, stdout: "", stderr: `error: ${expected}\n` });
});

test("keeps room for the meaning on a narrow terminal", async () => {
  const io = testIo();
  const stdout = { ...io.stdout, isTTY: true, columns: 80 };
  await runWith(["explain"], { ...io, stdout, env: { TERM: "xterm", NO_COLOR: "1" } });
  const lines = io.out().trimEnd().split("\n");
  expect(lines[0]).toMatch(/^code +severity +meaning$/);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
