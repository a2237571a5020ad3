import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { MigrationSpec } from "../../lib/plan";
import { type StackVariant, scriptOf } from "../../lib/rehearsal";
import { uploadKey } from "../../lib/rehearsed";
import { makeCertificate } from "../support/make-certificate";

const spec: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.net"] }],
  dns: { kind: "external" },
};
const begin: StackVariant = { phase: "issue", traffic: "previous", rotated: false, reissues: 0 };

test("probed hostnames include every domain, a name under each wildcard, and the added domain", () => {
  expect(scriptOf(spec, "gate").hostnames.all).toEqual([
    "added.by-rehearsal.example.com",
    "covered-by-wildcard.example.com",
    "example.com",
    "pay.example.net",
  ]);
});

test("probed hostnames include the hostnames of a certificate instead of its domains", () => {
  const narrow = { ...spec, certificates: [{ domains: ["*.example.com"], hostnames: ["eu.example.com"] }] };
  expect(scriptOf(narrow, "gate").hostnames.all).toEqual(["added.by-rehearsal.example.com", "eu.example.com"]);
});

test("probed hostnames include the name with which an uptime check tests a wildcard, so that the check can pass", () => {
  const alerts = { notificationChannels: [], wildcardProbes: { "*.example.com": "www.example.com" } };
  expect(scriptOf({ ...spec, alerts }, "gate").hostnames.all).toContain("www.example.com");
});

test("probed hostnames include the names of an uploaded certificate, which has no domains of its own", () => {
  const { certificatePem, privateKeyPem } = makeCertificate(["up.example.org"]);
  const upload = { kind: "selfManaged", certificatePem, privateKeyPem } as const;
  const script = scriptOf({ ...spec, certificates: [upload] }, "gate");
  expect(script.hostnames.all).toEqual(["up.example.org"]);
});

test("probed hostnames include today's names that no certificate lists", () => {
  const traffic = { to: "previous", previous: { "old.example.com": { a: ["198.51.100.1"] } } } as const;
  expect(scriptOf({ ...spec, traffic }, "gate").hostnames.all).toContain("old.example.com");
});

test("probed hostnames list each name once, whatever its spelling", () => {
  const written = { ...spec, certificates: [{ domains: ["EXAMPLE.com.", "b\u00fccher.example.com"] }] };
  const traffic = { to: "previous", previous: { "Example.COM": { a: ["198.51.100.1"] } } } as const;
  const script = scriptOf({ ...written, traffic }, "gate");
  expect(script.hostnames.all).toEqual(["added.by-rehearsal.example.com", "example.com", "xn--bcher-kva.example.com"]);
  expect(script.specOf(begin).traffic?.previous["example.com"]).toEqual({ a: ["198.51.100.1"] });
});

test("probed hostnames include names that only a private CA certifies, if a private CA issues a certificate", () => {
  const issuedBy = { caPool: "projects/p1/locations/us-central1/caPools/internal" };
  const own = { domains: ["status.corp.internal", "*.corp.internal"], issuedBy };
  const traffic = { to: "previous", previous: { "old.corp.internal": { a: ["10.0.0.1"] } } } as const;
  const script = scriptOf({ ...spec, certificates: [own], traffic }, "gate");
  expect(script.hostnames.all).toEqual([
    "added.by-rehearsal.status.corp.internal",
    "covered-by-wildcard.corp.internal",
    "old.corp.internal",
    "status.corp.internal",
  ]);
  expect(script.specOf(begin)).toMatchObject({
    dns: { kind: "cloudDns", zones: { "corp.internal": "corp-internal" } },
    traffic: { previous: { "old.corp.internal": { a: ["10.0.0.1"] } } },
  });
  expect(() => scriptOf({ ...spec, certificates: [{ domains: ["status.corp.internal"] }] }, "gate")).toThrow(
    expect.objectContaining({ code: "hostname-not-public" }),
  );
});

test("probed hostnames fail for an invalid name", () => {
  const wrong = { ...spec, certificates: [{ domains: ["a..example.com"] }] };
  expect(() => scriptOf(wrong, "gate")).toThrow(expect.objectContaining({ name: "InputError" }));
});

test("probed hostnames include no added domain if no certificate is managed", () => {
  const uploaded = { domains: ["example.com"], selfManaged: { certificatePem: "x", privateKeyPem: "y" } };
  const script = scriptOf({ ...spec, certificates: [uploaded] }, "gate");
  expect(script.hostnames.added).toBeUndefined();
  expect(script.specOf({ ...begin, rotated: true }).certificates).toEqual([uploaded]);
});

const { specOf } = scriptOf(spec, "gate");

test("the spec at a given phase has defaults for missing values", () => {
  expect(specOf(begin)).toEqual({
    ...spec,
    dns: { kind: "cloudDns", zones: { "example.com": "example-com", "example.net": "example-net" } },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address: "203.0.113.7" } },
    },
    phase: "issue",
    gateCommand: "gate",
    traffic: {
      hostnames: "all",
      to: "previous",
      ttlSeconds: 60,
      previous: {
        "covered-by-wildcard.example.com": { a: ["198.51.100.10"] },
        "example.com": { a: ["198.51.100.10"] },
        "pay.example.net": { a: ["198.51.100.10"] },
      },
    },
  });
});

test("the spec at a given phase keeps the zones, load balancer, addresses and time to live of the spec", () => {
  const own: MigrationSpec = {
    ...spec,
    dns: { kind: "cloudDns", zones: { "example.com": "com", "example.net": "net" } },
    loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "web" }, addresses: ["203.0.113.99"] },
    traffic: { to: "loadBalancer", ttlSeconds: 30, previous: { "example.com": { cname: "old.example.org." } } },
  };
  const { dns, loadBalancer, traffic } = scriptOf(own, "gate").specOf(begin);
  expect({ dns, loadBalancer }).toEqual({ dns: own.dns, loadBalancer: own.loadBalancer });
  expect(traffic).toMatchObject({ to: "previous", ttlSeconds: 30 });
  expect(traffic?.previous["example.com"]).toEqual({ cname: "old.example.org." });
});

test("the spec at a given phase has one more domain in the first managed certificate, and its record, when rotated", () => {
  const { certificates, traffic } = specOf({ ...begin, phase: "serve", rotated: true });
  expect(certificates.map(({ domains }) => domains)).toEqual([
    ["example.com", "*.example.com", "added.by-rehearsal.example.com"],
    ["pay.example.net"],
  ]);
  expect(traffic?.previous).toHaveProperty(["added.by-rehearsal.example.com"]);
});

test("the spec at a given phase has managed certificates of another generation when recovered", () => {
  expect(specOf({ ...begin, reissues: 1 }).certificates).toMatchObject([{ generation: 1 }, { generation: 1 }]);
});

test.each([
  ["begun", begin],
  ["served", { ...begin, phase: "serve" }],
  ["moved", { ...begin, phase: "serve", traffic: "loadBalancer" }],
  ["rotated", { ...begin, phase: "serve", traffic: "loadBalancer", rotated: true }],
] satisfies [string, StackVariant][])(
  "the spec at a given phase is valid input for the constructs when %s",
  (_, variant) => {
    expect(synthesizeSpec(specOf(variant), "shop-1")).toHaveProperty("resource.google_certificate_manager_certificate");
  },
);

describe("uploads of a variant", () => {
  const former = makeCertificate(["up.example.org"]);
  const { certificatePem, privateKeyPem } = makeCertificate(["up.example.org"], { key: 1 });
  const next = { certificatePem, privateKeyPem };
  const variant = { ...begin, uploads: { [uploadKey(former.certificatePem)]: next } };
  const only = (certificate: MigrationSpec["certificates"][number]) =>
    scriptOf({ ...spec, certificates: [certificate] }, "gate").specOf(variant).certificates[0];

  test("take the place of an uploaded certificate with the same names, and of its variable", () => {
    const upload = { kind: "selfManaged", certificatePem: former.certificatePem, privateKeyVariable: "key" } as const;
    expect(only(upload)).toEqual({ kind: "selfManaged", ...next });
    expect(only({ selfManaged: former })).toEqual({ selfManaged: next });
  });

  test("change no certificate with other names, and none that is a reference", () => {
    const other = { kind: "selfManaged", ...makeCertificate(["other.example.org"]) } as const;
    expect(only(other)).toEqual(other);
    const reference = { kind: "selfManaged", certificatePem: "${var.pem}", privateKeyVariable: "key" } as const;
    expect(only(reference)).toEqual(reference);
  });
});
