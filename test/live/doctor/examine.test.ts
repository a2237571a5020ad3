import { ServiceError } from "../../../lib/errors";
import {
  createRestApi,
  listRecordSets,
  listZones,
  loadBalancerReader,
  privateCaReader,
  projectReader,
} from "../../../lib/google";
import { createDnsView, doctorCodes } from "../../../lib/live/doctor";
import { renewalCodes } from "../../../lib/renewal";
import type { SourceMigration } from "../../../lib/source";
import { startOddServer } from "../../dns/servers";
import { problems } from "./problems";
import { healthySpec, named, type Place, type SpecOfTest, startWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.place();
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => world.cloud.faults.set({}));

test("returns no finding if nothing is wrong, and runs every check", async () => {
  const place = { project: "p1", domain: "shop1.com", address: "198.18.0.1", zone: "shop" };
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
    "references p1: passed",
    "references projects/p1/global/urlMaps: passed",
    "references projects/p1/addresses: passed",
    "zones shop (shop1.com): passed",
    // A rehearsal has one name server; queries to others are not allowed.
    "delegation shop1.com: unknown",
    "authorizations 2 domains: passed",
    "challenges shop1.com: passed",
    "challenges www.shop1.com: passed",
    "caa shop1.com: passed",
    "caa www.shop1.com: passed",
    "hostnames shop1.com: passed",
    "hostnames www.shop1.com: passed",
    "proxies p1: passed",
    "renewals shop: passed",
    "clients shop: passed",
  ]);
});

test.each(problems.map((problem) => [problem.title, problem] as const))(
  "finds that %s",
  async (_title, { records, spec: change, make, found, says }) => {
    const place = await world.place(records);
    const spec = change?.(healthySpec(place), place) ?? healthySpec(place);
    const made = await make?.(world, place, spec);
    const before = world.cloud.requests().length;
    const { findings } = await world.examine(spec, place, made?.options);
    await made?.end?.();
    expect(named(findings)).toEqual(found(place, world.planned(spec, place)));
    const texts = findings.flatMap(({ message: what, remedy, command = "" }) => [what, remedy, command]);
    for (const said of says) {
      expect(texts).toContainEqual(
        said instanceof RegExp ? expect.stringMatching(said) : expect.stringContaining(said),
      );
    }
    for (const { code, severity, meaning: why } of findings) {
      expect({ severity, why }).toEqual({ severity: doctorCodes[code].severity, why: doctorCodes[code].meaning });
    }
    const changes = world.cloud
      .requests()
      .slice(before)
      .filter(({ mutation }) => mutation);
    expect(changes).toEqual([]);
  },
);

test.each<readonly [string, (spec: SpecOfTest, place: Place) => SpecOfTest]>([
  ["records are published manually", (spec) => ({ ...spec, dns: { kind: "external" } })],
  ["certificates are issued and nothing else is made", ({ traffic, ...spec }) => ({ ...spec, phase: "issue" })],
  ["records have names of their own", (spec) => ({ ...spec, authorizationType: "PER_PROJECT_RECORD" })],
  [
    "the load balancer is regional",
    (spec, { address }) => ({
      ...spec,
      certificates: withoutPrimary(spec),
      loadBalancer: {
        kind: "regionalExternal",
        region: "europe-west1",
        newTargetHttpsProxy: {
          urlMap: "regions/europe-west1/urlMaps/shop",
          forwardingRules: { ipv4Address: address.replace(".18.0.", ".18.1.") },
        },
      },
    }),
  ],
  [
    "the load balancer is internal, in all regions",
    (spec) => ({
      ...spec,
      certificates: withoutPrimary(spec),
      loadBalancer: {
        kind: "crossRegionInternal",
        newTargetHttpsProxy: { urlMap: "global/urlMaps/shop", forwardingRules: { ipv4Address: "10.0.0.9" } },
      },
    }),
  ],
])("finds nothing if %s", async (_, change) => {
  const place = await world.place((domain) => [
    [domain, "A", 60, "198.51.100.1"],
    [`www.${domain}`, "A", 60, "198.51.100.1"],
    [`*.${domain}`, "CNAME", 60, `${domain}.`],
  ]);
  const addresses = `/compute/v1/projects/${place.project}/regions/europe-west1/addresses`;
  await world.cloud.make("POST", addresses, { name: "regional", address: place.address.replace(".18.0.", ".18.1.") });
  const { findings } = await world.examine(change(healthySpec(place), place), place);
  // Information about external records, with the name servers of Cloud DNS.
  expect(findings.filter(({ code }) => code !== "dns-host-recognized")).toEqual([]);
});

test("names the DNS host of a zone whose records are external, with the format of 'records'", async () => {
  const place = await world.place((domain) => [[domain, "A", 60, "198.51.100.1"]]);
  const spec = { ...healthySpec(place), dns: { kind: "external" } };
  const { findings } = await world.examine(spec, place);
  expect(findings.filter(({ code }) => code === "dns-host-recognized")).toMatchObject([
    {
      severity: "info",
      subject: place.domain,
      message: `the name servers of ${place.domain} are of Cloud DNS`,
      remedy: "publish the records in its format: 'cert-migration records --format bind'",
    },
  ]);
});

function withoutPrimary({ certificates }: SpecOfTest): readonly object[] {
  return (certificates as readonly { readonly domains: readonly string[] }[]).map(({ domains }) => ({ domains }));
}

test("runs the other checks although one is refused", async () => {
  const place = await world.place();
  await world.publish(place, [[`_acme-challenge.${place.domain}`, "TXT", 60, "left"]]);
  world.cloud.faults.set({
    requests: ["certificatemanager.*", "compute.sslCertificates.list", "dns.managedZones.list"].map((method) => ({
      method,
      status: "PERMISSION_DENIED",
    })),
  });
  const { findings, checks } = await world.examine(healthySpec(place), place);
  expect(named(findings)).toEqual([
    `challenge-txt _acme-challenge.${place.domain}`,
    "check-denied 2 domains",
    `check-denied ${place.project}`,
    "check-denied shop",
    `check-denied shop (${place.domain})`,
  ]);
  const notes = new Map(checks.map(({ check, subject, notes: own }) => [`${check} ${subject}`, own]));
  expect(notes.get(`challenges ${place.domain}`)).toEqual([expect.stringMatching(/^what the record has to be: /)]);
  expect(notes.get(`proxies ${place.project}`)).toEqual([expect.stringMatching(/^names of certificates on proxies: /)]);
});

test("checks the proxies without permission to list addresses", async () => {
  const place = await world.place();
  const loadBalancer = {
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "global/urlMaps/none", forwardingRules: { ipv4Address: place.address } },
  };
  world.cloud.faults.set({ requests: [{ method: "compute.addresses.aggregatedList", status: "PERMISSION_DENIED" }] });
  const { findings, checks } = await world.examine({ ...healthySpec(place), loadBalancer }, place);
  expect(named(findings)).toEqual([
    `check-denied projects/${place.project}/addresses`,
    `existing-missing projects/${place.project}/global/urlMaps/none`,
  ]);
  expect(checks.find(({ check }) => check === "proxies")?.notes).toEqual([
    expect.stringMatching(/^whether addresses are reserved: /),
  ]);
});

test("reports addresses with their TTLs, and when a change takes effect", async () => {
  const place = await world.place();
  const { checks } = await world.examine(healthySpec(place), place);
  expect(checks.find(({ check }) => check === "hostnames")?.notes).toEqual([
    "A 198.51.100.1, TTL 60 s: a change made now reaches all clients by 2026-11-21T12:01:00.000Z",
  ]);
});

/** Codes that other tests cover: their problems are not in the cloud, or take weeks of its time. */
const elsewhere = [
  ...Object.keys(renewalCodes),
  "credentials-missing",
  "credentials-refused",
  "credentials-unreadable",
  "dnssec-bogus",
  "name-server-lame",
  "project-unknown",
  "references-not-in-outputs",
  "resolver-unreachable",
];

test("has a test case for every code", async () => {
  const places = { project: "p1", domain: "d", address: "a", zone: "z" };
  const planned = { map: {} } as SourceMigration;
  const made = problems.flatMap(({ found }) => found(places, planned).map((one) => one.split(" ")[0] ?? ""));
  expect([...new Set([...made, ...elsewhere])].sort()).toEqual(Object.keys(doctorCodes).sort());
});

test("checks several migrations in one run, and reports shared findings once", async () => {
  const place = await world.place();
  await world.cloud.make("PUT", "/_cloud/project", { project: place.project, billingEnabled: false });
  const spec = healthySpec(place);
  const twice = [world.planned(spec, place), { ...world.planned(spec, place), path: "other" }];
  const { findings, checks } = await world.look(twice, place, { source: { plan: undefined } });
  expect(named(findings)).toEqual([`billing-off ${place.project}`]);
  expect(checks.filter(({ check }) => check === "project").map(({ subject }) => subject)).toEqual(["shop", "other"]);
});

test("accepts a name of a previous certificate in several migrations if one of them serves it", async () => {
  const places = [await world.place(), await world.place()] as const;
  const planned = places.map((place) => world.planned(healthySpec(place), place));
  const domains = [...places.map(({ domain }) => domain), "third.com"];
  const old = [{ source: "old.pem", domains, mustStaple: false, ipAddresses: [] }];
  const { findings } = await world.look(planned, places[0], { source: { plan: undefined }, previousCertificates: old });
  expect(named(findings)).toEqual(["name-not-served third.com"]);
});

test("continues if Terraform is to enable an API", async () => {
  const place = await world.place();
  await world.cloud.make("POST", `/v1/projects/${place.project}/services/dns.googleapis.com:disable`, {});
  const { findings, checks } = await world.examine({ ...healthySpec(place), enableApis: true }, place);
  expect(named(findings)).toEqual([`check-needs-api shop (${place.domain})`]);
  expect(checks.find(({ check }) => check === "apis")?.notes).toEqual([
    `dns.googleapis.com is not enabled in project ${place.project}, and Terraform enables it`,
  ]);
});

test("accepts a record that leads to its authorization through another alias", async () => {
  const place = await world.place();
  const spec = healthySpec(place);
  const [authorization] = world.planned(spec, place).authorizations;
  const path = `/v1/projects/${place.project}/locations/global/dnsAuthorizations`;
  const id = authorization?.resourceName ?? "";
  await world.cloud.make("POST", `${path}?dnsAuthorizationId=${id}`, { domain: place.domain });
  await world.cloud.clock.advance(1_000);
  const made = (await world.cloud.make("GET", `${path}/${id}`)) as { dnsResourceRecord: { data: string } };
  await world.publish(place, [
    [`_acme-challenge.${place.domain}`, "CNAME", 300, `shop.proofs.${place.domain}.`],
    [`shop.proofs.${place.domain}`, "CNAME", 300, made.dnsResourceRecord.data],
  ]);
  const { findings } = await world.examine(spec, place);
  expect(findings).toEqual([]);
});

test("uses the project's zones with the longest suffix if the source names no zones", async () => {
  const place = await world.place();
  world.cloud.faults.set({ dns: [{ name: place.domain, type: "NS", rrdatas: ["ns1.old-provider.net."] }] });
  const migration = world.planned(healthySpec(place), place);
  const { findings } = await world.look([migration], place, { source: { plan: undefined } });
  expect(named(findings)).toEqual([`zone-not-delegated ${place.domain}`]);

  const elsewhere = { ...place, project: "p-without-zones" };
  const { checks } = await world.look([world.planned(healthySpec(place), elsewhere)], elsewhere, {
    source: { plan: undefined },
  });
  expect(checks.find(({ check }) => check === "zones")).toMatchObject({
    outcome: "unknown",
    notes: [expect.stringContaining("p-without-zones has none for it"), expect.anything()],
  });
});

test("checks DNS even if the project is unknown", async () => {
  const place = await world.place(() => []);
  const spec = { ...healthySpec(place), traffic: undefined };
  const { findings } = await world.look([world.planned(spec, { project: undefined })], place, {
    source: { plan: undefined, project: undefined },
  });
  expect(named(findings)).toEqual([
    `hostname-unresolved ${place.domain}`,
    `hostname-unresolved www.${place.domain}`,
    "project-unknown shop",
  ]);
});

test("reports after an abort what it did not check", async () => {
  const place = await world.place();
  const stopping = new AbortController();
  const { checks, stopped } = await world.examine(healthySpec(place), place, {
    signal: stopping.signal,
    run: { concurrency: 1, onCheck: (done) => done === 3 && stopping.abort(new Error("stopped")) },
  });
  expect(stopped).toBe(true);
  expect(checks.map(({ outcome }) => outcome)).toEqual([
    ...["passed", "passed", "passed"],
    ...Array.from({ length: checks.length - 3 }, () => "stopped"),
  ]);
});

test("reports once that no resolver answers, without a finding for any zone", async () => {
  const place = await world.place();
  const { server, ...odd } = await startOddServer(() => undefined);
  await odd[Symbol.asyncDispose]();
  const { signal } = new AbortController();
  const dns = createDnsView({ resolvers: [server], nameServerPort: "none", signal });
  const { findings } = await world.examine(healthySpec(place), place, { dns });
  expect(findings).toMatchObject([{ code: "resolver-unreachable", message: "no resolver answers (ECONNREFUSED)" }]);
});

test.each(["credentials-missing", "credentials-refused", "credentials-unreadable"] as const)(
  "with %s, skips Google Cloud and reports that once",
  async (code) => {
    const place = await world.place();
    const api = createRestApi({
      credentials: async () => {
        throw new ServiceError("looking for credentials: there are none", {
          code,
          retryable: false,
        });
      },
    });
    const { findings, checks } = await world.examine(healthySpec(place), place, {
      google: {
        projects: projectReader(api),
        balancers: loadBalancerReader(api),
        zones: (project, signal) => listZones(api, project, signal),
        recordSets: (project, record, signal) => listRecordSets(api, project, record, signal),
        resources: world.resources,
        privateCas: privateCaReader(api),
      },
    });
    expect(findings).toMatchObject([{ code, command: "gcloud auth application-default login" }]);
    expect(checks.filter(({ outcome }) => outcome === "unknown").length).toBeGreaterThan(5);
  },
);
