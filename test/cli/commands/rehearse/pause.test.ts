import { PassThrough } from "node:stream";
import {
  pauseText,
  programOf,
  readPauses,
  variablesScript,
  withHold,
} from "../../../../lib/cli/commands/rehearse/pause";
import { foldTo } from "../../../../lib/cli/style";
import type { Pause } from "../../../../lib/rehearsal";
import { runCli, testIo } from "../../../support/io";

const pause: Pause = {
  steps: [4, 6],
  ok: true,
  endpoint: "http://127.0.0.1:40100/",
  control: "http://127.0.0.1:40100/_cloud/",
  nameServer: "127.0.0.1:40153",
  rootsFile: "/tmp/r/roots.pem",
  stackFolder: "/tmp/r/terraform",
  addresses: ["203.0.113.7", "2001:db8::7"],
  previous: { listener: "127.0.0.1:40443", addresses: ["198.51.100.10"] },
  nextPlan: { file: "/tmp/r/next-plan.json", what: "moves traffic to the load balancer" },
};
const installed = ["/usr/bin/node", "/p/node_modules/.bin/cert-migration"];

function terminal() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const written: string[] = [];
  const io = testIo({ stdin, stderr: { write: (text: string) => written.push(text), isTTY: true } });
  return { io, stdin, raw, written };
}

test("prints short commands, which use the variables of a file", () => {
  expect(pauseText(pause).split("\n")).toEqual([
    "paused after steps 4 and 6: clock, faults and handshakes go on; in another terminal:",
    "",
    "  cd /tmp/r/terraform",
    "  . ./env.sh",
    '  cert-migration status --stack "$STACK" --dns-server $DNS --verify-now',
    '  cert-migration wait --stack "$STACK"',
    '  cert-migration verify --stack "$STACK" --address $IP --address $IP_2',
    '  cert-migration watch --stack "$STACK" --address $IP --address $IP_2 --every 1s --for 20s',
    '  cert-migration doctor --stack "$STACK" --dns-server $DNS',
    '  cert-migration records --stack "$STACK" --dns-server $DNS --check',
    '  cert-migration check-plan "$PLAN"',
    "",
    "$PLAN is the plan of the next deployment: it moves traffic to the load balancer",
    "c continues; Ctrl-C destroys everything and ends",
    "",
  ]);
});

test("fits every line into 80 columns with one address", () => {
  const stackFolder = "/tmp/cert-migration-rehearsal-Ab1Cd2/rehearsal/terraform";
  const text = pauseText({ ...pause, addresses: ["203.0.113.7"], stackFolder }, foldTo(80));
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("writes the variables for a shell, with quotes around what a shell would split or run", () => {
  expect(variablesScript({ ...pause, stackFolder: "/tmp/a b/$(id)" }, installed).split("\n")).toEqual([
    "# Variables and the command of a running rehearsal, for a second terminal.",
    "export CERT_MIGRATION_REHEARSAL=http://127.0.0.1:40100/_cloud/",
    "export CERT_MIGRATION_REHEARSAL_PREVIOUS=127.0.0.1:40443,198.51.100.10",
    "export CERT_MIGRATION_REHEARSAL_TRUSTED=/tmp/r/roots.pem",
    "export CERT_MIGRATION_ENDPOINT=http://127.0.0.1:40100/",
    "STACK='/tmp/a b/$(id)'",
    "DNS=127.0.0.1:40153",
    "IP=203.0.113.7",
    "IP_2=2001:db8::7",
    "PLAN=/tmp/r/next-plan.json",
    "alias 'cert-migration=/usr/bin/node /p/node_modules/.bin/cert-migration'",
    "",
  ]);
});

test("prints no command that can't work yet, and reports a failure", () => {
  const { nextPlan: _, ...unplanned } = pause;
  const early = { ...unplanned, steps: [3], ok: false, addresses: [] };
  const text = pauseText(early);
  expect(text).toMatch(/^paused after step 3, which FAILED: /);
  expect(text).not.toMatch(/cert-migration (?:verify|watch|check-plan)|--verify-now/);
  expect(text).toContain("'verify' and 'watch' need the load balancer's address: pause after step 6\n");
  expect(variablesScript(early, installed)).not.toMatch(/^(?:IP|PLAN)/m);
  expect(pauseText({ ...pause, steps: [] })).toMatch(/^paused before the destroy: /);
});

test.each([
  [
    ["node", "/p/node_modules/.bin/cert-migration"],
    [],
    "alias 'cert-migration=/usr/bin/node /p/node_modules/.bin/cert-migration'",
  ],
  [
    ["node", "/a b/main.ts"],
    ["--require", "tsx/cjs"],
    `alias 'cert-migration=/usr/bin/node --require tsx/cjs '\\''/a b/main.ts'\\'''`,
  ],
])("names how the program of %j starts from any folder", (argv, execArgv, alias) => {
  const program = programOf({ execPath: "/usr/bin/node", execArgv, argv });
  expect(variablesScript(pause, program).split("\n").at(-2)).toBe(alias);
});

test.each(["c", "C"])("ends a pause only with the key '%s', and restores the terminal", async (key) => {
  const { io, stdin, raw } = terminal();
  const thawed: string[] = [];
  const frozen: string[] = [];
  const freeze = (text: string) => {
    frozen.push(text);
    return () => void thawed.push("thawed");
  };
  const interrupt = jest.fn();
  const written: (readonly string[])[] = [];
  const write = (...file: readonly string[]) => void written.push(file);
  const effects = { interrupt, write };
  const { hold } = withHold({ afterSteps: [6], beforeDestroy: false }, { freeze }, installed, io, effects);
  let isOver = false;
  const held = hold(pause).then(() => {
    isOver = true;
  });
  for (const other of ["x\n", "\u001b[C", "cd terraform\n", "c\n"]) {
    stdin.write(other);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect({ isOver, raw, thawed }).toEqual({ isOver: false, raw: [true], thawed: [] });
  stdin.write(key);
  await held;
  expect({ raw, thawed, paused: stdin.isPaused() }).toEqual({ raw: [true, false], thawed: ["thawed"], paused: true });
  expect(frozen).toHaveLength(1);
  expect(written).toEqual([["/tmp/r/terraform/env.sh", variablesScript(pause, installed)]]);
  expect(interrupt).not.toHaveBeenCalled();
});

test("stops the process at Ctrl-C in a pause, as outside a pause", async () => {
  const stopping = new AbortController();
  const { io, stdin, raw } = terminal();
  const moments = { afterSteps: [], beforeDestroy: true };
  const { hold } = withHold(
    moments,
    { freeze: () => () => undefined },
    installed,
    { ...io, signal: stopping.signal },
    { interrupt: () => stopping.abort(), write: () => undefined },
  );
  const held = hold(pause);
  stdin.write("\u0003");
  await held;
  expect(raw).toEqual([true, false]);
});

test("never pauses without these options", () => {
  expect(readPauses({ pauseAfter: [], pauseBeforeDestroy: false }, testIo())).toBeUndefined();
  expect(readPauses({ pauseAfter: [6, 8], pauseBeforeDestroy: false }, terminal().io)).toEqual({
    afterSteps: [6, 8],
    beforeDestroy: false,
  });
});

const spec = ["rehearse", "--spec", "examples/from-spec/migration.yaml"];

test.each([
  ["--pause-after", ["--pause-after", "3"]],
  ["--pause-before-destroy", ["--pause-before-destroy"]],
])("refuses %s without a terminal, because no key could end the pause", async (option, words) => {
  const { exitCode, stderr } = await runCli([...spec, ...words]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `error: ${option} needs a terminal: the key 'c' ends a pause; run the rehearsal in a terminal, or leave the option out [pause-without-terminal]\n`,
  });
});

test.each(["0", "9", "x", "1,2"])("refuses a pause after step '%s'", async (step) => {
  const { exitCode, stderr } = await runCli([...spec, "--pause-after", step]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`error: --pause-after '${step}' is not the number of a step; use 1 to 8 [pause-malformed]\n`);
});
