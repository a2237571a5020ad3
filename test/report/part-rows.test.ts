import { type EndedPart, partRows, partStateLabel, type RehearsalRecord } from "../../lib/report";

type Result = RehearsalRecord["result"];

const part = (numbers: readonly number[], name: string, more: Partial<EndedPart> = {}): EndedPart => {
  return { numbers, name, state: "done", seconds: 2, handshakes: 100, failed: 0, ...more };
};
const step = (number: number, from: string) => {
  const until = `${from}+2`;
  return { number, name: `name ${number}`, ok: true, seconds: 2, probes: 100, failedHandshakes: 0, from, until };
};
const steps = [
  step(1, "a"),
  step(2, "a"),
  step(3, "b"),
  step(4, "c"),
  step(5, "d"),
  step(6, "c"),
  step(7, "e"),
  step(8, "f"),
];
const failed: Result = {
  ...{ ok: false, probes: 1_000, failedHandshakes: 60, destroyed: true, failures: [], steps },
  ...{ watch: true, rotation: false, rollback: false },
  parts: [
    ...[part([1, 2], ""), part([3], ""), part([4, 6], ""), part([5], ""), part([7], ""), part([8], "")],
    part([], "pause after step 8"),
    part([], "watch: all traffic"),
    part([], "rotation: a domain added", { state: "failed", failed: 25 }),
  ],
};
const textOf = (result: Result, seconds = 30) =>
  partRows(result, seconds).map(({ steps: of, state, counts, what }) =>
    [of, state, counts?.seconds, counts?.handshakes, counts?.failed, what].join(" | "),
  );

test("has a row for each apply, pause and further part, for parts that did not run, and for the rest", () => {
  expect(textOf(failed)).toEqual([
    "1, 2 | done | 2 | 100 | 0 | name 1; name 2",
    "3 | done | 2 | 100 | 0 | name 3",
    "4, 6 | done | 2 | 100 | 0 | name 4; name 6",
    "5 | done | 2 | 100 | 0 | name 5",
    "7 | done | 2 | 100 | 0 | name 7",
    "8 | done | 2 | 100 | 0 | name 8",
    " | done | 2 | 100 | 0 | pause after step 8",
    " | done | 2 | 100 | 0 | watch: all traffic",
    " | failed | 2 | 100 | 25 | rotation: a domain added",
    " | failed |  |  |  | rollback",
    " | failed | 12 | 100 | 35 | preparation, time between the parts, destroy: nothing left behind",
  ]);
});

test.each([
  ["todo", "of a rehearsal that was stopped", { ok: false, stopped: true }],
  ["none", "of a rehearsal without them", { ok: true }],
])("marks parts as %s %s", (state, _, more) => {
  const { watch: __, rotation: ___, rollback: ____, ...result } = failed;
  const parts = [part([1, 2], ""), part([3], "")];
  const rows = partRows({ ...result, failedHandshakes: 0, ...more, parts }, 30).slice(2, -1);
  expect(rows.map(({ steps: of, what, ...row }) => [of || what, row])).toEqual(
    ["4", "5", "6", "7", "8", "watch", "rotation", "rollback"].map((name) => [name, { state }]),
  );
});

test.each([
  ["done", "+ done"],
  ["failed", "X failed"],
  ["stopped", "/ stopped"],
  ["todo", ". not reached"],
  ["none", "- not run"],
] as const)("marks a part that is %s with '%s'", (state, label) => {
  expect(partStateLabel(state)).toBe(label);
});

test("names what the destroy left", () => {
  const left = ["projects/p/locations/global/certificateMaps/m"];
  expect(textOf({ ...failed, destroyed: false, left }).at(-1)).toContain("destroy: m left behind");
  expect(textOf({ ...failed, destroyed: false }).at(-1)).toContain("destroy: something left behind");
});

test("joins the steps of an apply in files of earlier versions, and counts their other parts in the last row", () => {
  const { parts: _, watch: __, ...former } = failed;
  const rows = textOf({ ...former, acts: [{ name: "watch: all traffic", ok: true }] }, Number.NaN);
  expect(rows.slice(0, 3)).toEqual([
    "1, 2 | done | 2 | 100 | 0 | name 1; name 2",
    "3 | done | 2 | 100 | 0 | name 3",
    "4, 6 | done | 2 | 100 | 0 | name 4; name 6",
  ]);
  expect(rows.slice(6)).toEqual([
    " | done |  |  |  | watch",
    " | failed |  |  |  | rotation",
    " | failed |  |  |  | rollback",
    " | failed | NaN | 400 | 60 | parts without counts, preparation, time between the parts, destroy: nothing left behind",
  ]);
});
