import type { AdoptedTargetHttpsProxySpec, LoadBalancerSpec, MigrationSpec } from "../../../lib/plan";
import { type Block, resourcesOf, type StackJson } from "../../../lib/rehearsal/stack";
import { reportDangers } from "./judge";
import { type Scenario, type SceneAct, smallSpec, unharmed } from "./scenario";
import { answered, hostnamesMet, isTerraform, refused, requestsThat } from "./shown";

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
  sslPolicy: "",
  quicOverride: "UNSET",
  tlsEarlyData: "UNSET",
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: "",
  description: "",
} as const;

function adopted(name: string, ...certificates: readonly string[]): AdoptedTargetHttpsProxySpec {
  return { ...unset, name, urlMap: `${place}/urlMaps/${name}`, sslCertificates: certificates.map(idOf) };
}

const setMap = "compute.targetHttpsProxies.setCertificateMap";
const servedInPlace = hostnamesMet(
  "hostnames served at the addresses of today",
  4,
  ({ side, ok }) => side === "loadBalancer" && ok,
);
const deleted = answered("compute.sslCertificates.delete", "direct certificates deleted last", 3);
const removals = requestsThat(
  "proxies whose direct certificates Terraform removed",
  (request) =>
    isTerraform(request) &&
    request.status < 300 &&
    /targetHttpsProxies\.(?:setSslCertificates|patch)$/.test(request.method ?? ""),
);

const otherwiseServed = (summary: string) => hostnamesMet(summary, 1, ({ side, ok }) => side === "loadBalancer" && !ok);

/** Changes the hostname of an entry, so that the map has no entry for the original hostname. */
function withoutEntryOf(hostname: string, stack: StackJson): StackJson {
  const type = "google_certificate_manager_certificate_map_entry";
  const entries = Object.entries(resourcesOf(stack, type)).map(([id, block]): [string, Block] => {
    return [id, block.hostname === hostname ? { ...block, hostname: `unused.${hostname}` } : block];
  });
  if (entries.length === 0) return stack;
  return { ...stack, resource: { ...(stack.resource as Block), [type]: Object.fromEntries(entries) } };
}

const removeEntriesFirst: SceneAct = {
  name: "the entries are removed before the proxies lose the map",
  run: async (stage, scene) => {
    const next = scene.stackOf({ ...scene.spec, phase: "issue" });
    await stage.terraform.write(next);
    await reportDangers(stage, scene);
    await stage.pipeline.deployStack(next);
    await stage.prober.everyHostname();
    const isBack = await stage.owner.apply({ hasMap: false, certificates: "all" });
    await stage.pass(120);
    return isBack;
  },
};

const rollBackToSome: SceneAct = {
  name: "the proxies lose the map, and get only some of their certificates back",
  run: async (stage) => {
    const isBack = await stage.owner.apply({ hasMap: false, certificates: "last" });
    await stage.pass(120);
    await stage.prober.everyHostname();
    return isBack;
  },
};

/** Scenarios with load balancers that already serve the hostnames: only their certificates change. */
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
    course: { order: "certificates removed first" },
    proofs: [otherwiseServed("hostnames whose clients got another certificate")],
    expect: { completes: false, failedHandshakes: "some" },
  },
  {
    name: "in-place-map-attached-at-once",
    summary:
      "gate 'none': the map is attached before its entries are ACTIVE, and goes before the certificates that serve",
    spec: { ...inPlace, gate: "none" },
    course: { order: "map attached at once" },
    // Enough that certificates are not ACTIVE at the attachment, even with a slow provider.
    faults: { issuance: [{ domain: "*", failureReason: "CONFIG", times: 24 }] },
    expect: { completes: false, failedHandshakes: "some" },
  },
  {
    name: "in-place-map-without-a-name",
    summary: "the map that is attached has no entry for a hostname that a direct certificate serves",
    spec: inPlace,
    edit: (stack) => withoutEntryOf("pay.example.net", stack),
    proofs: [otherwiseServed("hostnames whose clients got no certificate")],
    expect: { completes: false, failedHandshakes: "some" },
  },
  {
    name: "in-place-entries-removed-first",
    summary: "a rollback deletes the map's entries before the owner of the proxies detaches the map",
    spec: inPlace,
    acts: [removeEntriesFirst],
    proofs: [
      answered(
        "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.delete",
        "entries deleted",
        4,
      ),
      refused(
        400,
        "deletions of a map that proxies have",
        "certificatemanager.projects.locations.certificateMaps.delete",
      ),
    ],
    expect: { completes: false, failedHandshakes: "some", messages: ["check-plan refuses"] },
  },
  {
    name: "in-place-rolled-back-to-some",
    summary: "a rollback detaches the map after one of the direct certificates was removed",
    spec: inPlace,
    acts: [rollBackToSome],
    proofs: [otherwiseServed("hostnames whose clients got another certificate")],
    expect: { completes: false, failedHandshakes: "some" },
  },
];
