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

describe("the owner of the proxies", () => {
  const [adopted, own] = servingProxiesOf(stack);
  const proxies = [{ ...adopted!, isAdopted: false }, own!];
  const map = "projects/p/locations/global/certificateMaps/m";

  function ownerWith(output: string, state = "{}", description = stack) {
    const written: StackJson[] = [];
    const said: string[] = [];
    const run = { exitCode: 0, output, killed: false };
    const owner = proxyOwnerOf({
      proxies,
      stack: description,
      migration: () => ({ run: async (command) => (command === "show" ? { ...run, output: state } : run) }),
      terraform: () => ({
        write: async (configuration: StackJson) => void written.push(configuration),
        apply: async () => run,
      }),
      say: (line) => void said.push(line),
    });
    return { owner, written, said };
  }

  test("imports them, and adds the line certificate_map with the map of the output", async () => {
    const { owner, written } = ownerWith(JSON.stringify({ migrations: { shop: { map } } }));
    expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(true);
    const certificate_map = `//certificatemanager.googleapis.com/${map}`;
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
    await owner.apply({ hasMap: true, certificates: "none" });
    expect(JSON.stringify(written[1])).not.toContain("ssl_certificates");
  });

  test("finds the map in the state of a root module that has no output for it", async () => {
    const type = "google_certificate_manager_certificate_map";
    const described = {
      ...stack,
      output: { cert_migration: { value: { migrations: { shop: { map: `\${${type}.migration_map.id}` } } } } },
    };
    const resources = [
      { type, name: "other_map", values: { id: "other" } },
      { type, name: "migration_map", values: { id: map } },
    ];
    const state = JSON.stringify({ values: { root_module: { child_modules: [{ resources }] } } });
    const { owner, written } = ownerWith("no output", state, described);
    expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(true);
    expect(JSON.stringify(written[0])).toContain(`//certificatemanager.googleapis.com/${map}"`);
  });

  test("changes nothing if the outputs have no map", async () => {
    const { owner, written, said } = ownerWith("{}");
    expect(await owner.apply({ hasMap: true, certificates: "all" })).toBe(false);
    expect(written).toEqual([]);
    expect(said).toEqual(["the output cert_migration has no map for web, api"]);
  });
});
