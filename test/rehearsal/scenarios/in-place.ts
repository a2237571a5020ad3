import type { AdoptedTargetHttpsProxySpec, LoadBalancerSpec, MigrationSpec } from "../../../lib/plan";
import { type Scenario, smallSpec, unharmed } from "./scenario";
import { answered, hostnamesMet, isTerraform, requestsThat } from "./shown";

const place = "projects/rehearsal-project/global";
const idOf = (name: string) => `${place}/sslCertificates/${name}`;

/** Two load balancers that serve the hostnames with direct certificates, at three addresses. */
const servingProxies: NonNullable<LoadBalancerSpec["servingProxies"]> = [
  {
    proxy: `${place}/targetHttpsProxies/web`,
    addresses: ["203.0.113.7"],
    certificates: [
      { id: idOf("pay"), domains: ["pay.example.net"] },
      { id: idOf("shop"), domains: ["shop.example.net"] },
    ],
  },
  {
    proxy: `${place}/targetHttpsProxies/site`,
    addresses: ["203.0.113.8", "2001:db8:2::8"],
    certificates: [{ id: idOf("site"), domains: ["example.com", "*.example.com"] }],
  },
];

const inPlace: MigrationSpec = { ...smallSpec, loadBalancer: { kind: "globalExternal", servingProxies } };

const unset = {
  sslPolicy: null,
  quicOverride: null,
  tlsEarlyData: null,
  httpKeepAliveTimeoutSeconds: null,
  serverTlsPolicy: null,
  description: null,
} as const;

function adopted(name: string, ...certificates: readonly string[]): AdoptedTargetHttpsProxySpec {
  return { ...unset, name, urlMap: `${place}/urlMaps/${name}`, sslCertificates: certificates.map(idOf) };
}

const setMap = "compute.targetHttpsProxies.setCertificateMap";
const servedInPlace = hostnamesMet(
  "hostnames served at the addresses of today",
  4,
  ({ side, ok }) => side === "new" && ok,
);
const deleted = answered("compute.sslCertificates.delete", "direct certificates deleted last", 3);
const removals = requestsThat(
  "proxies whose direct certificates Terraform removed",
  (request) =>
    isTerraform(request) &&
    request.status < 300 &&
    /targetHttpsProxies\.(?:setSslCertificates|patch)$/.test(request.method ?? ""),
);

/** Load balancers that serve the hostnames already: what changes is what their proxies present. */
export const inPlaceScenarios: readonly Scenario[] = [
  {
    name: "in-place-of-another-owner",
    summary:
      "proxies of another Terraform configuration get the map in place, are rolled back and attached again; direct certificates are detached later and deleted last",
    spec: inPlace,
    extras: true,
    proofs: [answered(setMap, "maps set on and removed from proxies", 6), servedInPlace, removals, deleted],
    expect: unharmed,
  },
  {
    name: "in-place-adopted",
    summary:
      "imported proxies get the map in place, are rolled back and attached again; direct certificates are detached later and deleted last",
    spec: {
      ...inPlace,
      loadBalancer: {
        kind: "globalExternal",
        servingProxies,
        adoptTargetHttpsProxies: [adopted("web", "pay", "shop"), adopted("site", "site")],
      },
    },
    extras: true,
    proofs: [answered(setMap, "maps set on and removed from proxies", 6), servedInPlace, removals, deleted],
    expect: unharmed,
  },
  {
    name: "in-place-certificates-removed-first",
    summary: "the owner of a proxy removes a direct certificate before the map is attached: its name is not served",
    spec: inPlace,
    order: "certificates removed first",
    proofs: [
      hostnamesMet("hostnames whose clients got another certificate", 1, ({ side, ok }) => side === "new" && !ok),
    ],
    expect: { completes: false, failedHandshakes: "some" },
  },
  {
    name: "in-place-map-attached-at-once",
    summary:
      "gate 'none': the map is attached before its entries are ACTIVE, and goes before the certificates that serve",
    spec: { ...inPlace, gate: "none" },
    order: "map attached at once",
    // So many that certificates are not ACTIVE at the attachment, also with a slow provider.
    faults: { issuance: [{ domain: "*", failureReason: "CONFIG", times: 24 }] },
    expect: { completes: false, failedHandshakes: "some" },
  },
];
