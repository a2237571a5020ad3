import { rehearsalScreen } from "../../../../lib/cli/commands/rehearse/screen";
import type { ShownVerdict } from "../../../../lib/cli/commands/rehearse/verdict-frame";
import { widthOf } from "../../../../lib/cli/style";
import type { EndedPart } from "../../../../lib/report";
import { testIo } from "../../../support/io";

const names = [
  "certificates with DNS authorizations",
  "CNAME records published",
  "certificates ACTIVE",
  "map and one entry per hostname",
  "map entries ACTIVE",
  "map attached to the target proxy",
  "every hostname verified at the load balancer",
  "traffic on the load balancer",
];

const part = (numbers: readonly number[], handshakes: number, more: Partial<EndedPart> = {}): EndedPart => {
  const name = numbers.map((number) => `step ${number}`).join(", ");
  return { numbers, name, state: "done", seconds: handshakes / 100, handshakes, failed: 0, ...more };
};

const parts = [
  part([1, 2], 160),
  part([3], 18),
  part([], 600, { name: "pause after step 3" }),
  part([4, 6], 1044),
  part([5], 12),
  part([7], 58),
  part([8], 590),
  part([], 122, { name: "watch: all traffic leads to the load balancer, without failures" }),
  part([], 901, { name: "rotation: a domain added to a certificate" }),
  part([], 777, { name: "rollback: traffic to the previous provider and back" }),
];

const shown = {
  seconds: 48.2,
  input: { kind: "spec", name: "migration.yaml" },
  result: {
    ok: true,
    completed: true,
    steps: names.map((name, index) => ({ number: index + 1, name })),
    parts,
    ...{ watch: true, rotation: true, rollback: true },
    ...{ probes: 4301, failedHandshakes: 0, discarded: 0, destroyed: true, left: [] },
  },
} as unknown as ShownVerdict;

const change = (result: Partial<ShownVerdict["result"]>, more: Partial<ShownVerdict> = {}): ShownVerdict => {
  return { ...shown, ...more, result: { ...shown.result, ...result } };
};
const terminal = (columns: number) => ({ write: () => undefined, isTTY: true, columns });
const plain = (given: ShownVerdict, columns: number) =>
  rehearsalScreen(given, testIo({ stdout: terminal(columns), color: false }));

test.each([60, 80, 120, 200])(
  "has the verdict first, a row for each apply, and whole words in %i columns",
  (columns) => {
    const screen = plain(shown, columns);
    expect(screen.split("\n").filter((line) => widthOf(line) > columns)).toEqual([]);
    expect(screen).toMatchSnapshot();
  },
);

test("is as wide as a terminal of 80 columns without a terminal, and has no color", () => {
  expect(rehearsalScreen(shown, testIo())).toBe(plain(shown, 80));
});

test("adds the rest of handshakes and seconds to the rows", () => {
  const rows = plain(shown, 120)
    .split("\n")
    .map((line) => / (\d+\.\d) +\d+ of (\d+)/.exec(line))
    .filter((match) => match !== null)
    .map(([, seconds, handshakes]) => ({ tenths: Math.round(Number(seconds) * 10), handshakes: Number(handshakes) }));
  const total = rows.pop();
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  expect({ tenths: sum(({ tenths }) => tenths), handshakes: sum(({ handshakes }) => handshakes) }).toEqual(total);
});

const frameOf = (given: ShownVerdict, columns = 100) =>
  plain(given, columns)
    .split("\n")
    .filter((line) => line.startsWith("│ "))
    .map((line) => line.slice(2));

test.each<[string, ShownVerdict, readonly string[]]>([
  [
    "shows where the report and the evidence are",
    { ...shown, report: "/tmp/a b.html", evidence: "/tmp/evidence" },
    [
      "PASSED: 0 of 4301 handshakes failed in 48 s",
      "report    file:///tmp/a%20b.html",
      "evidence  file:///tmp/evidence",
      "next      check the prerequisites in your project",
      "          npx cert-migration doctor --spec migration.yaml",
    ],
  ],
  [
    "names the first part with a failed handshake, and how to see it",
    change({
      ok: false,
      failedHandshakes: 2,
      parts: [part([1, 2], 100), part([8], 500, { state: "failed", failed: 2 })],
    }),
    [
      "FAILED: 2 of 4301 handshakes failed in 48 s",
      "reason    handshakes failed in step 8",
      "next      repeat with --report report.html, which shows each failure and its time",
    ],
  ],
  [
    "names the part without its expected result, and what the destroy has left behind",
    change(
      {
        ...{ ok: false, destroyed: false, left: ["projects/p/locations/global/certificateMaps/m"] },
        parts: [part([3], 100, { state: "failed" })],
      },
      { report: "/tmp/r.html" },
    ),
    [
      "FAILED: 0 of 4301 handshakes failed in 48 s",
      "reason    step 3 did not reach its expected result; left behind: m",
      "report    file:///tmp/r.html",
      "next      open the report, which shows each failure and its time",
    ],
  ],
  [
    "reports an interruption",
    change({ ok: false, stopped: true }),
    ["STOPPED: 0 of 4301 handshakes failed in 48 s", "next      run the command again"],
  ],
])("the frame %s", (_, given, lines) => {
  expect(frameOf(given)).toEqual(lines);
});

test.each([
  [{ kind: "spec", name: "a b.yaml" }, "npx cert-migration doctor --spec 'a b.yaml'"],
  [{ kind: "stack", name: "cdktf.out/stacks/shop" }, "npx cert-migration doctor --stack cdktf.out/stacks/shop"],
  [{ kind: "certificates", name: "pem" }, "npx cert-migration inventory pem --out migration.yaml"],
  [{ kind: "app", name: "npx tsx main.ts" }, "'cert-migration doctor --stack'"],
  [{ kind: "terraform-dir", name: "." }, "'cert-migration check-plan'"],
  [{ kind: "spec", name: "standard input" }, "'cert-migration doctor'"],
  [{ kind: "spec", name: "a\u001b[2J.yaml" }, "a\\u{1b}[2J.yaml"],
] as const)("the frame gives the next command for %j", (input, command) => {
  expect(frameOf({ ...shown, input }, 120).at(-1)).toContain(command);
});

test("the frame keeps a link that is wider than the terminal in one line", () => {
  const report = `/tmp/${"long-".repeat(20)}.html`;
  expect(frameOf({ ...shown, report }, 60)).toContain(`report    file://${report}`);
});

test("colors the verdict and the states, and is bold where the eye starts", () => {
  const failed = change({ ok: false, parts: [part([3], 100, { state: "failed" })] });
  const io = testIo({ stdout: terminal(100) });
  expect(rehearsalScreen(shown, io)).toContain("\u001b[1m\u001b[32mPASSED\u001b[0m\u001b[0m");
  expect(rehearsalScreen(failed, io)).toContain("\u001b[1m\u001b[31mFAILED\u001b[0m\u001b[0m");
  expect(rehearsalScreen(failed, io)).toContain("\u001b[31mX failed\u001b[0m");
  expect(rehearsalScreen(shown, testIo({ stdout: terminal(100), env: { NO_COLOR: "1" } }))).not.toContain("\u001b");
});

test("shows which of watch, rotation and rollback did not run", () => {
  const { watch: _, rotation: __, rollback: ___, ...result } = shown.result;
  const steps = parts.filter(({ numbers }) => numbers.length > 0);
  const rows = plain({ ...shown, result: { ...result, parts: steps } }, 100).split("\n");
  expect(rows.filter((row) => row.includes("- not run")).map((row) => row.trim().replace(/ +/g, " "))).toEqual([
    "- not run - - watch",
    "- not run - - rotation",
    "- not run - - rollback",
  ]);
});

test("has a row for each part that a stopped rehearsal did not reach", () => {
  const { watch: _, rotation: __, rollback: ___, ...result } = shown.result;
  const begun = [part([1, 2], 160), part([3], 18), part([4, 6], 44, { state: "stopped" })];
  const stopped = { ...shown, result: { ...result, parts: begun, ok: false, stopped: true as const } };
  const rows = plain(stopped, 100).split("\n");
  expect(rows.filter((row) => row.includes(". not reached")).map((row) => row.trim().replace(/ +/g, " "))).toEqual([
    "5 . not reached - - entry active",
    "7 . not reached - - served and verified",
    "8 . not reached - - traffic moved",
    ". not reached - - watch",
    ". not reached - - rotation",
    ". not reached - - rollback",
  ]);
});

describe("notes below the table", () => {
  const notesOf = (result: Partial<ShownVerdict["result"]>) => {
    const lines = plain(change(result), 200).trimEnd().split("\n");
    return lines.slice(lines.findIndex((line) => line.startsWith("total")) + 1);
  };

  test("count discarded attempts apart from handshakes", () => {
    const suspended = "timed out while the process of the rehearsal was suspended, and";
    expect(notesOf({ discarded: 3 })).toEqual([`beside them 3 tries ${suspended} each was repeated`]);
    expect(notesOf({ discarded: 1 })).toEqual([`beside them 1 try ${suspended} was repeated`]);
  });

  test("report what clients with and without a certificate got", () => {
    const withoutCertificate = { probes: 45, failed: 1, refused: 44 };
    const clients = { refusesOthers: true, withCertificate: { probes: 45, failed: 0 }, withoutCertificate };
    const withCertificate = "clients with a certificate: 0 of 45 failed; clients without a certificate:";
    expect(notesOf({ clients })).toEqual([`${withCertificate} 44 of 45 were refused, as before`]);
    expect(notesOf({ clients: { ...clients, refusesOthers: false } })).toEqual([`${withCertificate} 1 of 45 failed`]);
  });
});
