import { doctorCodes } from "../../../lib/migrate";
import { troubles } from "./troubles";
import { healthySpec, named, startWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.place();
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => world.cloud.faults.set({}));

test("where nothing is wrong, nothing is found, and everything is looked at", async () => {
  const place = { project: "p1", domain: "shop1.com", address: "203.0.113.1", zone: "shop" };
  const { findings, checks, stopped } = await world.examine(healthySpec(place), place);
  expect([findings, stopped]).toEqual([[], false]);
  expect(checks.map(({ check, subject, outcome }) => `${check} ${subject}: ${outcome}`)).toEqual([
    "project shop: passed",
    "billing p1: passed",
    "apis p1: passed",
    "permissions p1 (roles/certificatemanager.owner): passed",
    "permissions p1 (roles/compute.loadBalancerAdmin): passed",
    "permissions p1 (roles/dns.admin): passed",
    "quotas p1: passed",
    "quotas p1 (compute): passed",
    // In a rehearsal there is one name server, and no other may be asked.
    "zones shop (shop1.com): unknown",
    "challenges 2 domains: passed",
    "caa shop1.com: passed",
    "caa www.shop1.com: passed",
    "hostnames shop1.com: passed",
    "hostnames www.shop1.com: passed",
    "proxies p1: passed",
    "clients shop: passed",
  ]);
});

test.each(troubles.map((trouble) => [trouble.title, trouble] as const))(
  "it is found that %s",
  async (_title, { records, spec: change, make, found, says }) => {
    const place = await world.place(records);
    const spec = change?.(healthySpec(place), place) ?? healthySpec(place);
    const made = await make?.(world, place, spec);
    const before = world.cloud.requests().length;
    const { findings } = await world.examine(spec, place, made?.options);
    await made?.end?.();
    expect(named(findings)).toEqual(found(place, world.planned(spec, place)));
    const texts = findings.flatMap(({ what, remedy, command = "" }) => [what, remedy, command]);
    for (const said of says) {
      expect(texts).toContainEqual(
        said instanceof RegExp ? expect.stringMatching(said) : expect.stringContaining(said),
      );
    }
    for (const { code, severity, why } of findings) {
      expect({ severity, why }).toEqual({ severity: doctorCodes[code].severity, why: doctorCodes[code].meaning });
    }
    const changes = world.cloud
      .requests()
      .slice(before)
      .filter(({ mutation }) => mutation);
    expect(changes).toEqual([]);
  },
);
