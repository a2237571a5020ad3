import fc from "fast-check";
import type { CertificateSpec, LoadBalancerSpec, MigrationSpec, PreviousRecords } from "../../lib/plan";

const roots = ["example.com", "example.net", "example.org", "shop.example.com", "xn--bcher-kva.example"] as const;
const labels = fc.constantFrom("www", "api", "a", "b", "a-b", "pay", "x1", "eu", "deep.er");

const hostname = fc.oneof(
  fc.constantFrom(...roots),
  fc.tuple(labels, fc.constantFrom(...roots)).map(([label, root]) => `${label}.${root}`),
  fc.constantFrom(...roots).map((root) => `*.${root}`),
);

const loadBalancer: fc.Arbitrary<LoadBalancerSpec | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant<LoadBalancerSpec>({
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" } },
  }),
  fc.constant<LoadBalancerSpec>({
    kind: "globalExternal",
    newTargetSslProxy: { backendService: "tcp" },
    addresses: ["203.0.113.9"],
  }),
  fc.constantFrom("regionalExternal" as const, "regionalInternal" as const).map(
    (kind): LoadBalancerSpec => ({
      kind,
      region: "europe-west1",
      newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "10.0.0.7", network: "default" } },
    }),
  ),
  fc.constant<LoadBalancerSpec>({ kind: "crossRegionInternal", newTargetHttpsProxy: { urlMap: "web" } }),
);

/** A certificate for some names, each name as a user might write it. */
function certificate(names: readonly string[], index: number, style: number): CertificateSpec {
  const domains = names.map((name, place) =>
    (place + style) % 3 === 0 ? name.toUpperCase() : (place + style) % 3 === 1 ? `${name}.` : name,
  );
  return {
    domains,
    ...(style % 2 === 0
      ? { name: `certificate-${index}-${names[0]?.replace(/[^a-z0-9]/g, "-").replace(/^-+/, "")}` }
      : {}),
  };
}

/** Specs that are right, over all kinds of load balancer, gates and phases; hostnames are in one certificate each. */
export const arbitrarySpec: fc.Arbitrary<MigrationSpec> = fc
  .record({
    names: fc.uniqueArray(hostname, { minLength: 1, maxLength: 14 }),
    cuts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 14, maxLength: 14 }),
    styles: fc.array(fc.nat(5), { minLength: 14, maxLength: 14 }),
    loadBalancer,
    phase: fc.constantFrom("issue" as const, "serve" as const, undefined),
    gate: fc.constantFrom("wait" as const, "precondition" as const, "check" as const, "none" as const),
    external: fc.boolean(),
    labels: fc.constantFrom({ team: "web" }, { team: "web", empty: "" }, undefined),
    namePrefix: fc.constantFrom("prod", undefined),
    perProject: fc.boolean(),
    traffic: fc.boolean(),
    enableApis: fc.boolean(),
  })
  .map((choice): MigrationSpec => {
    const certificates: CertificateSpec[] = [];
    let at = 0;
    for (let index = 0; at < choice.names.length; index += 1) {
      const size = choice.cuts[index] ?? 1;
      certificates.push(certificate(choice.names.slice(at, at + size), index, choice.styles[index] ?? 0));
      at += size;
    }
    const plain = choice.names.filter((name) => !name.startsWith("*."));
    return {
      name: "prod/shop",
      certificates,
      dns: choice.external
        ? { kind: "external" }
        : {
            kind: "cloudDns",
            zones: {
              "example.com": "com",
              "example.net": { name: "net", project: "my-dns" },
              "example.org": "org",
              "xn--bcher-kva.example": "idn",
            },
          },
      gate: choice.gate,
      mustServe: choice.names,
      enableApis: choice.enableApis,
      ...(choice.loadBalancer === undefined ? {} : { loadBalancer: choice.loadBalancer }),
      ...(choice.phase === undefined ? {} : { phase: choice.phase }),
      ...(choice.labels === undefined ? {} : { labels: choice.labels }),
      ...(choice.namePrefix === undefined ? {} : { namePrefix: choice.namePrefix }),
      ...(choice.perProject ? { authorizationType: "PER_PROJECT_RECORD" as const } : {}),
      ...(choice.traffic && plain.length > 0
        ? {
            traffic: {
              to: "previous" as const,
              previous: Object.fromEntries(plain.map((name, index) => [name, previous(name, index)])),
            },
          }
        : {}),
    };
  });

function previous(name: string, index: number): PreviousRecords {
  if (index % 3 === 2 && name.split(".").length > 2) return { cname: "old-cdn.example.org" };
  return index % 3 === 1 ? { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] } : { a: ["198.51.100.1"] };
}
