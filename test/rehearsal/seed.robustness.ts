import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { FaultPlan, LoggedRequest } from "../../lib/cloud";
import { rehearse, scriptOf } from "../../lib/rehearsal";
import { smallSpec } from "./scenarios/scenario";

jest.setTimeout(300_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Refuses a random 20% of the requests. */
const faults: FaultPlan = { requests: [{ method: "*", status: "UNAVAILABLE", probability: 0.2 }] };

/** Returns for each kind of request one character per attempt: `x` if it was refused, `.` otherwise. */
async function refusals(name: string, seed: number): Promise<ReadonlyMap<string, string>> {
  const script = scriptOf(smallSpec, "true");
  const seen = new Map<string, string>();
  const note = ({ method, target, status, caller }: LoggedRequest) => {
    // Skips the requests that set up the rehearsal, which have no faults.
    if (!caller.startsWith("token ")) return;
    // Skips DNS changes: their names are only in the body, which is not logged. Names of operations are random.
    if (method === "dns.changes.create") return;
    const what = `${method} ${target.replace(/operations\/.*/, "operations")}`;
    seen.set(what, `${seen.get(what) ?? ""}${status === 503 ? "x" : "."}`);
  };
  await rehearse({
    migration: {
      synthesize: (variant) => synthesizeSpec(script.specOf(variant), "rehearsal-project"),
      hostnames: { all: script.hostnames.all, added: undefined },
    },
    course: { order: "certificates alone", extras: false },
    terraform: { folder: join(folder, name) },
    faults: { plan: { ...faults, seed } },
    output: { say: () => undefined, observers: [{ request: note }] },
    signal: new AbortController().signal,
  });
  return seen;
}

test("repeats all requests and refusals with the same seed, and refuses other requests with another seed", async () => {
  const [first, second, other] = [await refusals("first", 7), await refusals("second", 7), await refusals("other", 8)];
  expect([...first.keys()].filter((what) => what.includes("certificatemanager")).length).toBeGreaterThan(4);
  expect([...first.values()].join("")).toMatch(/x/);
  // The number of polls may differ, because clocks run.
  const common = (one: ReadonlyMap<string, string>, two: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      [...one].map(([what, attempts]) => [
        what,
        attempts.slice(0, Math.min(attempts.length, two.get(what)?.length ?? 0)),
      ]),
    );
  const isCreation = (what: string) => /\.create /.test(what);
  expect([...second.keys()].filter(isCreation).sort()).toEqual([...first.keys()].filter(isCreation).sort());
  expect(common(second, first)).toMatchObject(common(first, second));
  expect(common(other, first)).not.toMatchObject(common(first, other));
});
