import { connect } from "node:tls";
import { projectToMigration } from "../../../lib/inventory/project";
import { planMigration } from "../../../lib/plan";
import type { ProjectInventory } from "../../../lib/project-inventory";
import { makeActiveCertificate, makeMap, startTestCloud, type TestCloud } from "../../support/cloud";
import { inventoryBuilders } from "../../support/project-inventory";

const now = new Date("2026-11-21T00:00:00Z");
const { place, certificate, proxy, rule } = inventoryBuilders("p1");

// The second certificate of the proxy comes first in the alphabet, and expires last.
const world: ProjectInventory = {
  schemaVersion: 1,
  project: "p1",
  dnsProjects: ["p1"],
  forwardingRules: [rule("web", "203.0.113.7")],
  addresses: [],
  proxies: [proxy("web", "shop", "other")],
  urlMaps: [{ id: `${place}/urlMaps/web`, name: "web", hosts: [], backendIds: [] }],
  certificates: [
    { ...certificate("other", "other.example.com"), notAfter: "2027-06-01T00:00:00.000Z" },
    certificate("shop", "shop.example.com", "*.example.com"),
  ],
  maps: [],
  zones: [
    { id: "projects/p1/managedZones/com", name: "com", project: "p1", dnsName: "example.com", visibility: "public" },
  ],
  probes: [],
  unread: [],
  findings: [],
};

function primaryOf(change: Partial<ProjectInventory>) {
  const made = projectToMigration({ ...world, ...change }, { name: "shop", now });
  const names = (made?.spec.certificates ?? []).filter(({ primary }) => primary === true).map(({ name }) => name);
  return { names, notices: made?.notices };
}

/** Returns the names of the certificate that a listener serves to a client without SNI; undefined if it refuses. */
function servedWithoutSni(cloud: TestCloud): Promise<readonly string[] | undefined> {
  const [listener] = cloud.loadBalancers.listeners();
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(listener?.listen ?? "") ?? [];
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), ca: cloud.endpoints.trustBundle, rejectUnauthorized: false });
    socket.once("error", () => resolve(undefined));
    socket.once("secureConnect", () => {
      const { subjectaltname = "" } = socket.getPeerCertificate();
      resolve(subjectaltname.replaceAll("DNS:", "").split(", ").sort());
      socket.end();
    });
  });
}

test.each([true, false])(
  "clients without SNI get the names of the first direct certificate before and after the map: PRIMARY %s",
  async (hasPrimary) => {
    await using cloud = await startTestCloud({ startAt: now, world, behavior: { propagationMs: 5_000 } });
    const names = ["*.example.com", "shop.example.com"];
    expect(await servedWithoutSni(cloud)).toEqual(names);
    const made = projectToMigration(world, { name: "shop", now });
    if (made === undefined) throw new Error("no migration");
    const certificates = made.spec.certificates.map((one) => (hasPrimary ? one : { ...one, primary: false }));
    const plan = planMigration({ ...made.spec, certificates }, { now });
    const ids = new Map<string, string>();
    for (const { id, domains } of plan.certificates) {
      ids.set(id, await makeActiveCertificate(cloud, `new-${id}`, "com", domains));
    }
    const entries = plan.entries.map(({ hostname, certificates: own }) => [
      hostname,
      own.map((id) => ids.get(id) ?? id),
    ]);
    const certificateMap = await makeMap(cloud, "map", Object.fromEntries(entries));
    await cloud.make("POST", `/compute/v1/${place}/targetHttpsProxies/web/setCertificateMap`, { certificateMap });
    await cloud.clock.advance(60_000);
    expect(await servedWithoutSni(cloud)).toEqual(hasPrimary ? names : undefined);
  },
);

test("the first certificate of a proxy whose names are in the migration is PRIMARY", () => {
  expect(primaryOf({})).toEqual({ names: ["shop"], notices: [] });
  expect(primaryOf({ proxies: [proxy("web", "other", "shop")] }).names).toEqual(["other"]);
  const { notAfter: _, ...shop } = { ...certificate("shop", "shop.example.com"), kind: "computeManaged" as const };
  const certificates = [certificate("other", "other.example.com"), shop];
  expect(primaryOf({ certificates }).names).toEqual(["other"]);
});

test("a map has one PRIMARY entry: of several proxies, the certificate that is first on most of them counts", () => {
  const proxies = [proxy("a", "shop"), proxy("b", "other", "shop"), proxy("c", "other")];
  const forwardingRules = ["a", "b", "c"].map((name, index) => rule(name, `203.0.113.${index + 1}`));
  expect(primaryOf({ proxies, forwardingRules })).toEqual({
    names: ["other"],
    notices: [
      `${place}/targetHttpsProxies/a serves ${place}/sslCertificates/shop to clients without SNI; with the map they get other, because a map has one PRIMARY entry`,
    ],
  });
});
