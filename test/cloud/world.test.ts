import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { readProjectInventory } from "../../lib/inventory/project";
import type { ProjectInventory } from "../../lib/project-inventory";
import { generateProject } from "../support/generated-project";

const now = new Date("2026-11-21T00:00:00Z");
const world = generateProject({ seed: 2, now });

test("stores the project in the state file, and refuses to load another project into it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cert-migration-world-"));
  try {
    const state = join(folder, "cloud.journal");
    const first = await startCloud({ speed: 0, startAt: now, world, state });
    const listeners = first.loadBalancers.listeners().map(({ forwardingRule }) => forwardingRule);
    expect(listeners).toHaveLength(world.forwardingRules.length);
    await first.stop();
    const again = await startCloud({ speed: 0, startAt: now, state });
    expect(again.loadBalancers.listeners().map(({ forwardingRule }) => forwardingRule)).toEqual(listeners);
    await again.stop();
    await expect(startCloud({ speed: 0, startAt: now, state, world })).rejects.toMatchObject({
      code: "world-not-empty",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each<[string, unknown, RegExp | string]>([
  ["another version", { ...world, schemaVersion: 2 }, "--world: '/schemaVersion' is not 1"],
  ["an unknown field", { ...world, rules: [] }, "--world: the inventory has an unknown field: 'rules'"],
  ["a proxy that is missing", { ...world, proxies: [] }, /'\/forwardingRules\/0\/proxyId' is not the id of a proxy/],
  [
    "a certificate that is missing",
    { ...world, certificates: [] },
    /certificateIds\/0' is not the id of a certificate/,
  ],
  ["the same proxy twice", { ...world, proxies: [...world.proxies, ...world.proxies] }, /is the id of an earlier item/],
  [
    "fields of other types",
    { ...world, project: 7, zones: {}, maps: [{}] },
    /^--world: '\/project' is not text\n--world: '\/maps\/0' lacks 'id'\n(?:.*\n)*--world: '\/zones' is not a list$/,
  ],
  ["no list of proxies", { ...world, proxies: undefined }, "--world: the inventory lacks 'proxies'"],
  ...[[], {}, "x", null, { schemaVersion: 1, hostnames: [] }].map((value): [string, unknown, string] => [
    `${JSON.stringify(value)} in place of an inventory`,
    value,
    "--world is not the output of 'cert-migration inventory --project ID --json'; pass that output",
  ]),
])("refuses a world with %s", (_, value, message) => {
  expect(readProjectInventory(world, "--world")).toBe(world);
  expect(() =>
    readProjectInventory(value === undefined ? value : JSON.parse(JSON.stringify(value)), "--world"),
  ).toThrow(message);
});

const unread = (what: string) => ({ what, project: "shop-prod", reason: "HTTP 403" });

test.each<[string, Partial<ProjectInventory>]>([
  ["target HTTPS proxies", { proxies: world.proxies.filter(({ kind }) => kind === "ssl") }],
  ["certificates of Compute Engine", { certificates: [] }],
  ["URL maps", { urlMaps: [] }],
  ["certificate maps", { maps: [] }],
])("accepts a world without the %s only if these could not be read", (what, change) => {
  const partial = { ...world, ...change };
  expect(() => readProjectInventory(partial, "--world")).toThrow(/is not the id of a/);
  expect(() => readProjectInventory({ ...partial, unread: [unread("DNS zones")] }, "--world")).toThrow(/is not the id/);
  const lists = [what, ...(what === "certificates of Compute Engine" ? ["certificates of Certificate Manager"] : [])];
  const read = readProjectInventory({ ...partial, unread: lists.map(unread) }, "--world");
  for (const { certificateIds } of read.proxies) {
    expect(certificateIds.every((id) => read.certificates.some((one) => one.id === id))).toBe(true);
  }
});

test("keeps the maps of proxies that could not be read, so that direct certificates are not presented instead", () => {
  const maps = world.proxies.flatMap(({ mapId }) => mapId ?? []);
  expect(maps.length).toBeGreaterThan(0);
  const read = readProjectInventory({ ...world, maps: [], unread: [unread("certificate maps")] }, "--world");
  expect(read.maps.map(({ id, entries }) => [id, entries])).toEqual([...new Set(maps)].map((id) => [id, []]));
  expect(read.proxies.map(({ mapId }) => mapId)).toEqual(world.proxies.map(({ mapId }) => mapId));
});
