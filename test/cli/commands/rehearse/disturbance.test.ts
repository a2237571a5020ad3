import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDisturbance } from "../../../../lib/cli/commands/rehearse/disturbance";
import { synthesizeSpec } from "../../../../lib/cli/synthesize";
import type { FaultPlan } from "../../../../lib/cloud";
import { Faults } from "../../../../lib/cloud/faults";
import { smallSpec } from "../../../rehearsal/scenarios/scenario";
import { testIo } from "../../../support/io";

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "disturbance-"));
  file = join(folder, "faults.json");
  const requests = [{ method: "*", status: "UNAVAILABLE", probability: 0.5 }];
  writeFileSync(file, JSON.stringify({ seed: 11, requests }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Given {
  readonly faults?: string;
  readonly seed?: number;
}
const read = ({ faults, seed }: Given) => readDisturbance({ faults, seed }, testIo());

/** Marks with `x` each of 64 requests that a fault plan affects, and with `.` the others. */
function markAffected(plan: FaultPlan | undefined): string {
  const faults = new Faults({ now: () => new Date(0), after: () => () => undefined }, plan);
  const targets = Array.from({ length: 64 }, (_, index) => `/v1/a/n${index}`);
  return targets.map((target) => (faults.ofRequest("a.get", { target, body: "" }) === undefined ? "." : "x")).join("");
}

describe("--seed", () => {
  test("affects the same requests every time, and others than another seed", async () => {
    const affected = async (seed: number) => markAffected((await read({ faults: file, seed })).faults);
    const first = await affected(7);
    expect(first).toMatch(/x.*\./);
    expect(await affected(7)).toBe(first);
    expect(await affected(8)).not.toBe(first);
    expect(await affected(4_294_967_295)).not.toBe(first);
  });

  test.each<[what: string, options: () => Given, seed: number | undefined]>([
    ["replaces the seed of a file", () => ({ faults: file, seed: 7 }), 7],
    ["is that of the file where it is not given", () => ({ faults: file }), 11],
    ["replaces the seed of a scenario", () => ({ faults: "connections-cut", seed: 0 }), 0],
    ["is that of the scenario where it is not given", () => ({ faults: "connections-cut" }), 7],
    ["is reported alone, although it affects nothing", () => ({ seed: 5 }), 5],
    ["is nothing where nothing goes wrong", () => ({}), undefined],
  ])("%s", async (_, options, seed) => {
    expect((await read(options())).faults?.seed).toBe(seed);
  });
});

test("names resources identically in every rehearsal, whatever the seed", () => {
  const stacks = [1, 2].map(() => synthesizeSpec(smallSpec, "rehearsal-project"));
  expect(stacks[1]).toEqual(stacks[0]);
});

test("reports every mistake of an invalid fault file at once", async () => {
  const broken = join(folder, "broken.json");
  const requests = [{ status: "NO" }, { method: "*", probability: 2 }];
  writeFileSync(broken, JSON.stringify({ seed: -1, requests, dns: {}, unknown: 1 }));
  await expect(read({ faults: broken })).rejects.toMatchObject({
    problems: [
      "'seed' must be a number from 0",
      "'requests[0].method' is missing",
      "'requests[0].status' must be one of ",
      "'requests[1].probability' must be from 0 to 1",
      "'dns' must be a list",
      "'unknown' is unknown; there are ",
    ].map((message) => ({ code: "faults-malformed", message: expect.stringContaining(message) })),
  });
});

test("reports a fault file that is not JSON", async () => {
  const broken = join(folder, "text.json");
  writeFileSync(broken, "seed: 7\n");
  await expect(read({ faults: broken })).rejects.toMatchObject({
    code: "json-malformed",
    message: expect.stringContaining(`--faults: '${broken}' is not JSON: `),
  });
});
