import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programNameOf } from "../../lib/rehearsal/program-name";
import { proxyOwnerOf } from "../../lib/rehearsal/proxy-owner";
import {
  servedAt,
  servingProxiesOf,
  withoutCreatedServing,
  withoutDirectCertificates,
  withoutMap,
} from "../../lib/rehearsal/serving-proxies";
import type { StackJson } from "../../lib/rehearsal/stack";
import { worldOf } from "../../lib/rehearsal/world";

const certificates = [{ id: "projects/p/global/sslCertificates/old", domains: ["*.example.com"] }];
const proxyBlock = {
  name: "web",
  ssl_certificates: ["projects/p/global/sslCertificates/old"],
  certificate_map: "//certificatemanager.googleapis.com/projects/p/locations/global/certificateMaps/m",
};
const stack: StackJson = {
  provider: { google: [{ project: "p" }] },
  resource: { google_compute_target_https_proxy: { web: proxyBlock, other: { name: "other" } } },
  output: {
    cert_migration: {
      value: {
        migrations: {
          shop: {
            servingProxies: [
              {
                proxy: "projects/p/global/targetHttpsProxies/web",
                addresses: ["203.0.113.7", "2001:db8::7"],
                certificates,
              },
              { proxy: "projects/q/global/targetHttpsProxies/api", addresses: ["203.0.113.8"] },
            ],
          },
        },
      },
    },
  },
};

test("reads the serving proxies of all migrations, with the owner of each", () => {
  const found = servingProxiesOf(stack).map(({ project, name, isAdopted }) => ({ project, name, isAdopted }));
  expect(found).toEqual([
    { project: "p", name: "web", isAdopted: true },
    { project: "q", name: "api", isAdopted: false },
  ]);
  expect(servingProxiesOf({})).toEqual([]);
});

test("distinguishes a target SSL proxy from a target HTTPS proxy of the same name", () => {
  const ssl = { proxy: "projects/p/global/targetSslProxies/web", addresses: ["203.0.113.9"], certificates };
  const value = { migrations: { shop: { servingProxies: [ssl] } } };
  const both = { ...stack, output: { cert_migration: { value } } };
  expect(servingProxiesOf(both)).toEqual([
    expect.objectContaining({ collection: "targetSslProxies", name: "web", isAdopted: false }),
  ]);
  expect([withoutMap(both), withoutDirectCertificates(both)]).toEqual([both, both]);
  expect(withoutCreatedServing(both)).toEqual({ stack: both, created: [] });
});

test("sends a hostname to the proxy that has a certificate for it, and other hostnames to the previous provider", () => {
  const proxies = servingProxiesOf(stack);
  expect(servedAt(proxies, "shop.example.com")).toEqual(["203.0.113.7", "2001:db8::7"]);
  expect(servedAt(proxies, "example.com")).toBeUndefined();
  const { records } = worldOf(stack, { hostnames: ["shop.example.com", "example.net"] });
  expect(records.map(({ name, type, rrdatas }) => `${name} ${type} ${rrdatas.join()}`)).toEqual([
    "shop.example.com. A 203.0.113.7",
    "shop.example.com. AAAA 2001:db8::7",
    "example.net. A 198.51.100.10",
  ]);
});

test("removes only the map of serving proxies in a rollback, and only their certificates in a detachment", () => {
  const proxiesOf = ({ resource }: StackJson) =>
    (resource as Readonly<Record<string, unknown>>).google_compute_target_https_proxy;
  const { certificate_map, ssl_certificates, ...rest } = proxyBlock;
  const other = { name: "other" };
  expect(proxiesOf(withoutMap(stack))).toEqual({ web: { ...rest, ssl_certificates }, other });
  expect(proxiesOf(withoutDirectCertificates(stack))).toEqual({ web: { ...rest, certificate_map }, other });
  expect(withoutMap({})).toEqual({});
});

test("a proxy that the stack creates does not serve before; an imported proxy and proxies of others do", () => {
  const without = withoutCreatedServing(stack);
  expect(without.created).toEqual(["web"]);
  expect(servingProxiesOf(without.stack).map(({ name }) => name)).toEqual(["api"]);
  const imported = { ...stack, import: [{ to: "google_compute_target_https_proxy.web", id: "web" }] };
  expect(withoutCreatedServing(imported)).toEqual({ stack: imported, created: [] });
});

const [adopted, own] = servingProxiesOf(stack);
const proxies = [{ ...adopted!, isAdopted: false }, own!];
const mapId = "projects/p/locations/global/certificateMaps/m";

const folder = mkdtempSync(join(tmpdir(), "owner-"));
const detachPlanFile = join(folder, "plan.json");
const type = "google_compute_target_https_proxy";
const attached = {
  ...{ name: "web", ssl_certificates: ["projects/p/global/sslCertificates/old"] },
  certificate_map: `//certificatemanager.googleapis.com/${mapId}`,
};
const detachment = { actions: ["update"], before: attached, after: { ...attached, ssl_certificates: [] } };
const detachChanges = [{ address: `${type}.web`, mode: "managed", type, change: detachment }];
const detachPlan = { format_version: "1.2", planned_values: {}, resource_changes: detachChanges };
beforeAll(() => writeFileSync(detachPlanFile, JSON.stringify(detachPlan)));
afterAll(() => rmSync(folder, { recursive: true }));

/** The outputs of a migration whose map serves the hostnames. */
function migrationOf(hostnames: readonly string[]) {
  const id = "projects/p/locations/global/certificates/shop";
  const names = { kind: "managed", id, name: "shop", location: "global", scope: "DEFAULT", domains: hostnames };
  return {
    ...{ name: "shop", phase: "serve", gate: "wait", loadBalancer: "globalExternal", map: mapId, proxies: [] },
    ...{ certificates: [names], authorizations: [], records: [] },
    entries: hostnames.map((hostname) => ({ id: hostname, hostname, certificates: [id] })),
    servingProxies: [
      {
        ...{ proxy: "projects/p/global/targetHttpsProxies/web", addresses: ["203.0.113.7"] },
        certificates: [{ id: "projects/p/global/sslCertificates/old", domains: ["shop.example.com"] }],
      },
    ],
  };
}

function ownerWith(output: string, state = "{}", description = stack) {
  const written: StackJson[] = [];
  const said: string[] = [];
  const run = { exitCode: 0, output, killed: false };
  const owner = proxyOwnerOf({
    proxies,
    stack: description,
    migration: () => ({ run: async (command) => (command === "show" ? { ...run, output: state } : run) }),
    terraform: () => ({
      name: programNameOf("terraform"),
      write: async (configuration: StackJson) => void written.push(configuration),
      apply: async () => run,
      savePlan: async () => ({ file: detachPlanFile, output: "" }),
    }),
    say: (line) => void said.push(line),
  });
  return { owner, written, said };
}

test("the owner of the proxies imports them, and adds the line certificate_map with the map of the output", async () => {
  const { owner, written } = ownerWith(JSON.stringify({ migrations: { shop: { map: mapId } } }));
  expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(true);
  const certificate_map = `//certificatemanager.googleapis.com/${mapId}`;
  expect(written[0]).toMatchObject({
    import: [
      { to: "google_compute_target_https_proxy.proxy_1", id: "projects/p/global/targetHttpsProxies/web" },
      { to: "google_compute_target_https_proxy.proxy_2", id: "projects/q/global/targetHttpsProxies/api" },
    ],
    resource: {
      google_compute_target_https_proxy: {
        proxy_1: { name: "web", ssl_certificates: ["projects/p/global/sslCertificates/old"], certificate_map },
        proxy_2: { name: "api", certificate_map },
      },
    },
  });
});

test.each([
  ["serves every name", ["shop.example.com"], true],
  ["lacks a name", ["other.example.com"], false],
])(
  "the owner of the proxies detaches the certificates only if check-plan accepts the plan: the map %s",
  async (_, hostnames, isAccepted) => {
    const { owner, written, said } = ownerWith(
      JSON.stringify({ version: 1, migrations: { shop: migrationOf(hostnames) } }),
    );
    expect(await owner.apply({ hasMap: true, certificates: "none" })).toBe(isAccepted);
    expect(JSON.stringify(written[0])).not.toContain("ssl_certificates");
    expect(said).toEqual(isAccepted ? [] : [expect.stringMatching(/^check-plan refuses .* no ACTIVE entry for shop/)]);
  },
);

test("the owner of the proxies finds the map in the state of a root module that has no output for it", async () => {
  const type = "google_certificate_manager_certificate_map";
  const described = {
    ...stack,
    output: { cert_migration: { value: { migrations: { shop: { map: `\${${type}.migration_map.id}` } } } } },
  };
  const resources = [
    { type, name: "other_map", values: { id: "other" } },
    { type, name: "migration_map", values: { id: mapId } },
  ];
  const state = JSON.stringify({ values: { root_module: { child_modules: [{ resources }] } } });
  const { owner, written } = ownerWith("no output", state, described);
  expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(true);
  expect(JSON.stringify(written[0])).toContain(`//certificatemanager.googleapis.com/${mapId}"`);
});

test("the owner of the proxies changes nothing if the outputs have no map", async () => {
  const { owner, written, said } = ownerWith("{}");
  expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(false);
  expect(written).toEqual([]);
  expect(said).toEqual(["the output cert_migration has no map for web, api"]);
});
