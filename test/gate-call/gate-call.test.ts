import {
  gateCallOf,
  gateRun,
  hasTemplate,
  type ProgramRun,
  verifyEnvironment,
  waitEnvironment,
} from "../../lib/gate-call";

const waiting = (kind: "certificates" | "entries", ...names: readonly string[]) =>
  waitEnvironment({ kind, names, timeout: "60m" });

test.each([
  waiting("certificates", "c"),
  waiting("entries", "${a.id}"),
  verifyEnvironment({ stack: ".", addresses: [] }),
])("reads the call that it writes, with constant text in the command: %j", (call) => {
  const run = gateRun("npx cm", call);
  expect(run.command).toBe(`npx cm ${call.verb} --from-environment`);
  expect(gateCallOf(run)).toEqual(call);
});

test.each<[command: string, call: object]>([
  ["npx cm wait --certificate ${c.id} --timeout 60m", waiting("certificates", "${c.id}")],
  ["npx cm wait --certificate ${c.id}", waiting("certificates", "${c.id}")],
  ["wait --for entries --entry ${a[0].id} --entry b", waiting("entries", "${a[0].id}", "b")],
  ['npx cm wait --certificate ${"x; touch f; echo "}', waiting("certificates", '${"x; touch f; echo "}')],
  ['npx cm wait --certificate ${"a b"} --timeout 60m', waiting("certificates", '${"a b"}')],
  [
    'npx cm verify --stack "${path.module}" --migration "a b" --address ${g["x"].address} --address 2001:db8::7',
    verifyEnvironment({ stack: "${path.module}", migration: "a b", addresses: ['${g["x"].address}', "2001:db8::7"] }),
  ],
  ["npx cm verify --stack .", verifyEnvironment({ stack: ".", addresses: [] })],
])("reads the values from a command of an earlier version: %s", (command, call) => {
  expect(gateCallOf({ command })).toEqual(call);
});

test.each([
  "npx cm wait --certificate c; id",
  "npx cm wait --certificate c & id",
  "npx cm wait --certificate $(id)",
  "npx cm wait --certificate `id`",
  "npx cm wait --certificate $HOME",
  "npx cm wait --certificate %HOME%",
  "npx cm wait --certificate %{ if true }c%{ endif }",
  'npx cm wait --certificate "c" "d"',
  "npx cm wait --certificate c\nid",
  "npx cm wait --certificate c > file",
  "npx cm wait --certificate c --endpoint https://example.com/",
  "npx cm wait --for entries --certificate c",
  "npx cm wait --for certificates --entry e",
  "npx cm wait --for all --entry e",
  "npx cm wait --certificate c --timeout 1m --timeout 2m",
  "npx cm wait --certificate",
  "npx cm wait --from-environment",
  "npx cm verify --address 203.0.113.7",
  "npx cm verify --stack . --stack ..",
  "npx cm verify --stack . --junit file",
  "npx cm status --stack .",
])("reads no call from %j", (command) => {
  expect(gateCallOf({ command })).toBeUndefined();
});

const run = gateRun("npx cm", waiting("certificates", "c"));
test.each<[what: string, run: unknown]>([
  ["another argument", { ...run, interpreter: ["sh"] }],
  ["a variable that no gate has", { ...run, environment: { ...run.environment, NODE_OPTIONS: "--require ./a" } }],
  ["a variable of the other command", { ...run, environment: verifyEnvironment({ stack: ".", addresses: [] }) }],
  ["a value that is not a text", { ...run, environment: { CERT_MIGRATION_WAIT_NAMES: ["c"] } }],
  ["options beside the variables", { ...run, command: `${run.command} --json` } satisfies ProgramRun],
  ["no command", { environment: run.environment }],
  ["nothing", undefined],
])("reads no call with %s", (_, given) => {
  expect(gateCallOf(given)).toBeUndefined();
});

test.each([
  ["a ${b} c", true],
  ["%{ if true }a%{ endif }", true],
  ["$${HOME}", false],
  ["%%{off}", false],
  ["$$${b}", false],
  ["$${a} ${b}", true],
  ["$HOME 100% {a} #{b}", false],
])("finds what Terraform evaluates in %j: %s", (text, expected) => {
  expect(hasTemplate(text)).toBe(expected);
});
