import { projectToMigration, whyWithoutMigration } from "../../../lib/inventory/project";
import { type MigrationSpec, parseMigrationDocument, planMigration, writeMigrationDocument } from "../../../lib/plan";
import type { ProjectCertificate, ProjectInventory, ProjectProxy } from "../../../lib/project-inventory";
import { generateProject } from "../../support/generated-project";
import { inventoryBuilders } from "../../support/project-inventory";

const now = new Date("2026-11-21T00:00:00Z");
const { place, certificate, proxy, rule } = inventoryBuilders("shop-1");

const zone = (dnsName: string, project = "shop-1") => {
  const name = dnsName.replaceAll(".", "-");
  return { id: `projects/${project}/managedZones/${name}`, name, project, dnsName, visibility: "public" as const };
};

const world: ProjectInventory = {
  schemaVersion: 1,
  project: "shop-1",
  dnsProjects: ["shop-1"],
  forwardingRules: [rule("web", "203.0.113.7")],
  addresses: [],
  proxies: [proxy("web", "shop")],
  urlMaps: [],
  certificates: [certificate("shop", "shop.example.com", "*.example.com")],
  maps: [],
  zones: [zone("example.com")],
  probes: [],
  unread: [],
  findings: [],
};

function migrate(change: Partial<ProjectInventory> = {}, options = {}) {
  return projectToMigration({ ...world, ...change }, { name: "shop", now, ...options });
}

test("writes only a map, with the current proxies and all their names", () => {
  expect(migrate()).toEqual({
    spec: {
      name: "shop",
      project: "shop-1",
      certificates: [{ kind: "managed", name: "shop", domains: ["shop.example.com", "*.example.com"], primary: true }],
      dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
      loadBalancer: {
        kind: "globalExternal",
        servingProxies: [
          {
            proxy: "projects/shop-1/global/targetHttpsProxies/web",
            addresses: ["203.0.113.7"],
            certificates: [
              { id: "projects/shop-1/global/sslCertificates/shop", domains: ["shop.example.com", "*.example.com"] },
            ],
          },
        ],
      },
      mustServe: expect.arrayContaining(["*.example.com", "shop.example.com"]),
    },
    notices: [],
  });
});

test.each<[string, Partial<ProjectProxy>, string]>([
  ["of GKE", { owner: "gke" }, "GKE manages it"],
  ["in a region", { region: "europe-west1" }, "takes no certificate map"],
  ["with a map", { mapId: "projects/shop-1/locations/global/certificateMaps/m", presents: "map" }, "entries are kept"],
  ["for SSL", { kind: "ssl" }, "7.19 or later"],
  ["without certificates of Compute Engine", { presents: "nothing" }, "no certificates of Compute Engine"],
  ["without a forwarding rule", { id: `${place}/targetHttpsProxies/idle` }, "no forwarding rule"],
])("leaves out a proxy %s, with the reason", (_, change, reason) => {
  const other = { ...proxy("other", "shop"), ...change };
  const rules = [rule("web", "203.0.113.7"), rule("other", "203.0.113.8")];
  const made = migrate({ proxies: [proxy("web", "shop"), other], forwardingRules: rules });
  expect(made?.spec.loadBalancer?.servingProxies?.map(({ proxy: id }) => id)).toEqual([
    "projects/shop-1/global/targetHttpsProxies/web",
  ]);
  expect(made?.notices).toEqual([expect.stringContaining(reason)]);
});

const { notAfter: _expiry, ...neverIssued }: ProjectCertificate = {
  ...certificate("shop", "shop.example.com"),
  kind: "computeManaged",
  status: "PROVISIONING",
};

test.each<[what: string, change: Partial<ProjectInventory>, reasons: readonly string[]]>([
  ["there is no proxy", { proxies: [], forwardingRules: [], certificates: [] }, []],
  [
    "no proxy answers on port 443",
    { forwardingRules: [{ ...rule("web", "203.0.113.7"), port: 8443 }] },
    [`${place}/targetHttpsProxies/web is left out: no forwarding rule on port 443 leads to it`],
  ],
  [
    "the only certificate was never issued",
    { certificates: [neverIssued] },
    [
      `${place}/sslCertificates/shop was never issued; the migration leaves it out, with its names: shop.example.com; to serve these names, add them to 'certificates' and 'mustServe', otherwise detach the certificate`,
    ],
  ],
])("writes nothing, with the reasons, if %s", (_, change, reasons) => {
  expect(migrate(change)).toBeUndefined();
  expect(whyWithoutMigration({ ...world, ...change }, { now })).toEqual(reasons);
});

test("names all public zones of a domain, because only one is delegated", () => {
  const second = { ...zone("example.com"), id: "projects/shop-1/managedZones/second", name: "second" };
  const hidden = { ...second, id: "projects/shop-1/managedZones/hidden", visibility: "private" as const };
  const made = migrate({ zones: [zone("example.com"), second, hidden] });
  expect(made?.spec.dns).toEqual({ kind: "cloudDns", zones: { "example.com": "example-com" } });
  expect(made?.notices).toEqual([
    expect.stringMatching(
      /^example\.com has several public zones: .*\/example-com is used, and .*\/second is not; keep/,
    ),
  ]);
});

const sslProxy: ProjectProxy = {
  ...proxy("web", "tcp"),
  id: `${place}/targetSslProxies/web`,
  kind: "ssl",
  backendServiceId: `${place}/backendServices/web`,
};
const withSsl: Partial<ProjectInventory> = {
  proxies: [proxy("web", "shop"), sslProxy],
  forwardingRules: [rule("web", "203.0.113.7"), { ...rule("tcp", "203.0.113.8"), proxyId: sslProxy.id }],
  certificates: [certificate("shop", "shop.example.com"), certificate("tcp", "tcp.example.com")],
};

test("contains target SSL proxies on request, and names the version that their own configuration needs", () => {
  const made = migrate(withSsl, { sslProxies: true });
  expect(made?.spec.loadBalancer?.servingProxies).toEqual([
    expect.objectContaining({ proxy: `${place}/targetHttpsProxies/web`, addresses: ["203.0.113.7"] }),
    {
      proxy: `${place}/targetSslProxies/web`,
      addresses: ["203.0.113.8"],
      certificates: [{ id: `${place}/sslCertificates/tcp`, domains: ["tcp.example.com"] }],
    },
  ]);
  expect(made?.spec.mustServe).toEqual(["shop.example.com", "tcp.example.com"]);
  expect(made?.notices).toContain(
    `${sslProxy.id} is a target SSL proxy: the configuration that owns it needs google 7.19 or later`,
  );
  expect(planMigration(made?.spec as MigrationSpec).findings.map(({ code }) => code)).toEqual(["serving-ssl-proxy"]);
  expect(migrate(withSsl)?.spec.mustServe).toEqual(["shop.example.com"]);
});

test("imports no target SSL proxy, also if a target HTTPS proxy has the same name", () => {
  const made = migrate(withSsl, { sslProxies: true, adopt: ["web"] });
  expect(made?.spec.loadBalancer?.adoptTargetHttpsProxies?.map(({ urlMap }) => urlMap)).toEqual([
    `${place}/urlMaps/web`,
  ]);
  expect(() => migrate(withSsl, { sslProxies: true, adopt: [sslProxy.id] })).toThrow(
    /is not a target HTTPS proxy of the migration; expected one of web/,
  );
});

test("leaves out a proxy in the network tier STANDARD, which a map does not support", () => {
  const standard = { ...rule("other", "203.0.113.8"), networkTier: "STANDARD" };
  const made = migrate({
    proxies: [proxy("web", "shop"), proxy("other", "shop")],
    forwardingRules: [{ ...rule("web", "203.0.113.7"), networkTier: "PREMIUM" }, standard],
  });
  expect(made?.spec.loadBalancer?.servingProxies).toHaveLength(1);
  expect(made?.notices).toEqual([expect.stringContaining("a certificate map needs PREMIUM")]);
});

describe("an uploaded certificate that covers all names", () => {
  const uploaded = {
    ...certificate("both", "shop.example.com", "*.example.com"),
    id: "projects/shop-1/locations/global/certificates/both",
    kind: "managerUploaded" as const,
  };
  const using = (...existing: readonly ProjectCertificate[]) =>
    migrate({ certificates: [...world.certificates, ...existing] });

  test("is used if it is valid for 60 more days, with the date", () => {
    const made = using({ ...uploaded, notAfter: "2027-01-20T00:00:00Z" });
    expect(made?.spec.certificates).toMatchObject([{ kind: "existing", id: uploaded.id }]);
    expect(made?.notices).toEqual([
      expect.stringContaining("instead of a new certificate; replace it before 2027-01-20"),
    ]);
  });

  test("is replaced with a managed certificate if it expires earlier, with the reason", () => {
    const made = using({ ...uploaded, notAfter: "2027-01-19T23:59:59Z" });
    expect(made?.spec.certificates).toEqual([
      { kind: "managed", name: "shop", domains: ["shop.example.com", "*.example.com"], primary: true },
    ]);
    expect(made?.notices).toEqual([
      `${uploaded.id} covers shop.example.com, *.example.com and is not used: it expires on 2027-01-19, in less than 60 days, and nothing renews it; a managed certificate is created`,
    ]);
  });

  test("is used only without a managed one, whose end Google moves", () => {
    const managed = {
      ...uploaded,
      id: "projects/shop-1/locations/global/certificates/google",
      kind: "managerManaged" as const,
    };
    const made = using(uploaded, { ...managed, renewedBy: "google", notAfter: "2026-12-01T00:00:00Z" });
    expect(made?.spec.certificates).toMatchObject([{ kind: "existing", id: managed.id }]);
  });
});

test("writes no migration if nothing can be migrated", () => {
  expect(migrate({ proxies: [] })).toBeUndefined();
});

test("uses an existing certificate only if it covers all names of a current certificate", () => {
  const existing = {
    ...certificate("both", "shop.example.com", "*.example.com"),
    id: "projects/shop-1/locations/global/certificates/both",
    kind: "managerManaged" as const,
    renewedBy: "google" as const,
  };
  const certificates = [...world.certificates, existing];
  expect(migrate({ certificates })?.spec.certificates).toEqual([
    {
      name: "both",
      kind: "existing",
      id: existing.id,
      domains: ["shop.example.com", "*.example.com"],
      hostnames: expect.arrayContaining(["shop.example.com", "*.example.com"]),
      primary: true,
    },
  ]);
  for (const change of [
    { domains: ["shop.example.com"] },
    { status: "PROVISIONING" },
    { scope: "ALL_REGIONS" },
    { region: "europe-west1" },
    { notAfter: "2026-11-20T00:00:00Z" },
  ]) {
    const made = migrate({ certificates: [...world.certificates, { ...existing, ...change }] });
    expect(made?.spec.certificates.map(({ name }) => name)).toEqual(["shop"]);
  }
});

test("keeps a name in the certificate that expires last, and groups by domain if asked", () => {
  const certificates = [
    certificate("shop", "shop.example.com", "pay.example.com"),
    { ...certificate("next", "shop.example.com", "shop.example.net"), notAfter: "2027-06-01T00:00:00Z" },
  ];
  const change = {
    certificates,
    proxies: [proxy("web", "shop", "next")],
    zones: [zone("example.com"), zone("example.net")],
  };
  expect(migrate(change)?.spec.certificates).toEqual([
    { kind: "managed", name: "next", domains: ["shop.example.com", "shop.example.net"] },
    { kind: "managed", name: "shop", domains: ["pay.example.com"], primary: true },
  ]);
  expect(migrate(change, { group: "domain" })?.spec.certificates).toEqual([
    { kind: "managed", name: "example.com", domains: ["pay.example.com", "shop.example.com"], primary: true },
    { kind: "managed", name: "example.net", domains: ["shop.example.net"] },
  ]);
});

test("leaves out a managed certificate that was never issued, and keeps the names of an expired one", () => {
  const { notAfter: _, ...issued } = certificate("failed", "failed.example.com");
  const never = { ...issued, kind: "computeManaged" as const };
  const expired = { ...certificate("shop", "shop.example.com"), notAfter: "2026-11-01T00:00:00Z" };
  const made = migrate({ certificates: [never, expired], proxies: [proxy("web", "failed", "shop")] });
  expect(made?.spec.mustServe).toEqual(["shop.example.com"]);
  expect(made?.notices).toEqual([
    expect.stringContaining("expired on 2026-11-01"),
    expect.stringContaining("was never issued; the migration leaves it out, with its names: failed.example.com"),
  ]);
  expect(made?.spec.loadBalancer?.servingProxies).toMatchObject([
    { certificates: [{ id: expired.id, domains: ["shop.example.com"] }] },
  ]);
});

test("names the zones that are missing; without any zone, records are published manually", () => {
  const certificates = [certificate("shop", "shop.example.com", "shop.example.org")];
  expect(migrate({ certificates })?.notices).toEqual(["add the zones of these names to 'dns.zones': shop.example.org"]);
  expect(migrate({ zones: [{ ...zone("example.com"), visibility: "private" }] })?.spec.dns).toEqual({
    kind: "external",
  });
  expect(migrate({ zones: [zone("example.com", "dns")] })?.spec.dns).toEqual({
    kind: "cloudDns",
    zones: { "example.com": { name: "example-com", project: "dns" } },
  });
});

test("imports a proxy only if asked, with all of its settings and a warning", () => {
  const web = { ...proxy("web", "shop"), sslPolicyId: `${place}/sslPolicies/modern`, quicOverride: "NONE" };
  const made = migrate({ proxies: [web] }, { adopt: ["web"] });
  expect(made?.spec.loadBalancer?.adoptTargetHttpsProxies).toEqual([
    {
      name: "web",
      project: "shop-1",
      urlMap: "projects/shop-1/global/urlMaps/web",
      sslCertificates: ["projects/shop-1/global/sslCertificates/shop"],
      sslPolicy: "projects/shop-1/global/sslPolicies/modern",
      quicOverride: "NONE",
      tlsEarlyData: "UNSET",
      httpKeepAliveTimeoutSeconds: 0,
      serverTlsPolicy: "",
      description: "",
    },
  ]);
  expect(made?.notices).toEqual([expect.stringContaining("no other Terraform configuration or tool may manage it")]);
  expect(() => migrate({}, { adopt: ["other"] })).toThrow("'other' is not a target HTTPS proxy of the migration");
});

test("writes for every generated project a migration that can be planned without findings and read back", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const generated = generateProject({ seed, now, everyNameHasZone: true });
    const made = projectToMigration(generated, { name: "shop", now });
    if (made === undefined) throw new Error(`seed ${seed} gives no migration`);
    expect([seed, planMigration(made.spec, { now }).findings]).toEqual([seed, []]);
    const text = writeMigrationDocument(made.spec, { comment: made.notices });
    expect(parseMigrationDocument(text, { source: "migration.yaml" })).toMatchObject({ spec: made.spec });
  }
});

test("leaves names that are not public out of every part of the migration, which can be planned", () => {
  const hidden = "status.corp.internal";
  const inner = { ...certificate("inner", hidden), notAfter: "2026-12-31T00:00:00Z" };
  const made = migrate({
    proxies: [proxy("web", "shop", "inner")],
    certificates: [certificate("shop", "shop.example.com", hidden), inner],
  });
  expect(made?.spec.loadBalancer?.servingProxies?.[0]?.certificates).toEqual([
    { id: `${place}/sslCertificates/shop`, domains: ["shop.example.com"] },
  ]);
  expect(JSON.stringify(made?.spec)).not.toContain(hidden);
  expect(made?.notices.filter((notice) => notice.includes(hidden))).toHaveLength(2);
  expect(planMigration(made?.spec as MigrationSpec).findings.filter(({ severity }) => severity === "error")).toEqual(
    [],
  );
});

test("uses an existing certificate with its public names only", () => {
  const existing: ProjectCertificate = {
    ...certificate("existing", "shop.example.com", "*.example.com", "status.corp.internal"),
    id: "projects/shop-1/locations/global/certificates/existing",
    kind: "managerUploaded",
    notAfter: "2027-06-01T00:00:00Z",
  };
  const made = migrate({ certificates: [...world.certificates, existing] });
  expect(made?.spec.certificates).toEqual([
    {
      name: "existing",
      kind: "existing",
      id: existing.id,
      domains: ["shop.example.com", "*.example.com"],
      hostnames: expect.arrayContaining(["shop.example.com", "*.example.com"]),
      primary: true,
    },
  ]);
});
