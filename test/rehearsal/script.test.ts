import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { MigrationSpec } from "../../lib/plan";
import { type StackVariant, scriptOf } from "../../lib/rehearsal";

const spec: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.net"] }],
  dns: { kind: "external" },
};
const begin: StackVariant = { phase: "issue", traffic: "previous", rotated: false, mended: 0 };

describe("hostnames that are probed", () => {
  test("every domain, a name that each wildcard covers, and the one that is added", () => {
    expect(scriptOf(spec, "gate").hostnames).toEqual([
      "added.by-rehearsal.example.com",
      "covered-by-wildcard.example.com",
      "example.com",
      "pay.example.net",
    ]);
  });

  test("the hostnames of a certificate in place of its domains", () => {
    const narrow = { ...spec, certificates: [{ domains: ["*.example.com"], hostnames: ["eu.example.com"] }] };
    expect(scriptOf(narrow, "gate").hostnames).toEqual(["added.by-rehearsal.example.com", "eu.example.com"]);
  });

  test("names of today that no certificate lists", () => {
    const traffic = { to: "previous", previous: { "old.example.com": { a: ["198.51.100.1"] } } } as const;
    expect(scriptOf({ ...spec, traffic }, "gate").hostnames).toContain("old.example.com");
  });

  test("names however they are written, each once", () => {
    const written = { ...spec, certificates: [{ domains: ["EXAMPLE.com.", "b\u00fccher.example.com"] }] };
    const traffic = { to: "previous", previous: { "Example.COM": { a: ["198.51.100.1"] } } } as const;
    const script = scriptOf({ ...written, traffic }, "gate");
    expect(script.hostnames).toEqual(["added.by-rehearsal.example.com", "example.com", "xn--bcher-kva.example.com"]);
    expect(script.specOf(begin).traffic?.previous["example.com"]).toEqual({ a: ["198.51.100.1"] });
  });

  test("fails for a name that is none", () => {
    const wrong = { ...spec, certificates: [{ domains: ["a..example.com"] }] };
    expect(() => scriptOf(wrong, "gate")).toThrow(expect.objectContaining({ name: "InputError" }));
  });

  test("nothing is added where no certificate is managed", () => {
    const uploaded = { domains: ["example.com"], selfManaged: { certificatePem: "x", privateKeyPem: "y" } };
    const script = scriptOf({ ...spec, certificates: [uploaded] }, "gate");
    expect(script.addedHostname).toBeUndefined();
    expect(script.specOf({ ...begin, rotated: true }).certificates).toEqual([uploaded]);
  });
});

describe("the spec at one point", () => {
  const { specOf } = scriptOf(spec, "gate");

  test("what is left open is filled in", () => {
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

  test("what the spec says stays: zones, load balancer, addresses and time to live of today", () => {
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

  test("rotated: the first managed certificate has one domain more, and the name has its record", () => {
    const { certificates, traffic } = specOf({ ...begin, phase: "serve", rotated: true });
    expect(certificates.map(({ domains }) => domains)).toEqual([
      ["example.com", "*.example.com", "added.by-rehearsal.example.com"],
      ["pay.example.net"],
    ]);
    expect(traffic?.previous).toHaveProperty(["added.by-rehearsal.example.com"]);
  });

  test("mended: managed certificates have another generation", () => {
    expect(specOf({ ...begin, mended: 1 }).certificates.map(({ generation }) => generation)).toEqual([1, 1]);
  });

  test.each([
    ["begun", begin],
    ["served", { ...begin, phase: "serve" }],
    ["moved", { ...begin, phase: "serve", traffic: "loadBalancer" }],
    ["rotated", { ...begin, phase: "serve", traffic: "loadBalancer", rotated: true }],
  ] satisfies [string, StackVariant][])("the constructs take it as it is when %s", (_, variant) => {
    expect(synthesizeSpec(specOf(variant), "p1")).toHaveProperty("resource.google_certificate_manager_certificate");
  });
});
