import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { FaultPlan, LoggedRequest } from "../../lib/cloud";
import { rehearse, scriptOf } from "../../lib/rehearsal";
import { smallSpec } from "./scenarios/scenario";

jest.setTimeout(150_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every fifth answer is refused, by lot. */
const faults: FaultPlan = { requests: [{ method: "*", status: "UNAVAILABLE", probability: 0.2 }] };

/** What was asked and how often, and which times it was refused: `x` where it was. */
async function refusals(name: string, seed: number): Promise<ReadonlyMap<string, string>> {
  const script = scriptOf(smallSpec, "true");
  const seen = new Map<string, string>();
  const note = ({ method, target, status, caller }: LoggedRequest) => {
    // What others make for the rehearsal, before anything goes wrong, is no part of it.
    if (!caller.startsWith("token ")) return;
    // Changes of DNS tell their names in the body alone, which no log has; the cloud draws the names of operations.
    if (method === "dns.changes.create") return;
    const what = `${method} ${target.replace(/operations\/.*/, "operations")}`;
    seen.set(what, `${seen.get(what) ?? ""}${status === 503 ? "x" : "."}`);
  };
  await rehearse({
    synthesize: (variant) => synthesizeSpec(script.specOf(variant), "rehearsal-project"),
    hostnames: script.hostnames,
    addedHostname: undefined,
    folder: join(folder, name),
    order: "certificates alone",
    extras: false,
    faults: { ...faults, seed },
    onRequest: note,
    say: () => undefined,
    signal: new AbortController().signal,
  });
  return seen;
}

test("repeats all requests and refusals with the same seed, and refuses other requests with another seed", async () => {
  const [first, second, other] = [await refusals("first", 7), await refusals("second", 7), await refusals("other", 8)];
  expect([...first.keys()].filter((what) => what.includes("certificatemanager")).length).toBeGreaterThan(4);
  expect([...first.values()].join("")).toMatch(/x/);
  // How often something is asked for again until it is done may differ: clocks run.
  const common = (one: ReadonlyMap<string, string>, two: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      [...one].map(([what, struck]) => [what, struck.slice(0, Math.min(struck.length, two.get(what)?.length ?? 0))]),
    );
  const isCreation = (what: string) => /\.create /.test(what);
  expect([...second.keys()].filter(isCreation).sort()).toEqual([...first.keys()].filter(isCreation).sort());
  expect(common(second, first)).toMatchObject(common(first, second));
  expect(common(other, first)).not.toMatchObject(common(first, other));
});
