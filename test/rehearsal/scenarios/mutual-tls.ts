import type { AdoptedTargetHttpsProxySpec, ClientAuthenticationSpec, MigrationSpec } from "../../../lib/plan";
import { rehearsalLoadBalancerAddress as newAddress } from "../../../lib/rehearsed";
import { makeChainCertificate } from "../../support/made-chain";
import { reportDangers } from "./judge";
import { type Scenario, type SceneAct, smallSpec, unharmed } from "./scenario";
import type { Meeting, Proof } from "./seen";
import { answered, failuresMet, hostnamesMet } from "./shown";

const root = makeChainCertificate({ commonName: "Clients Root", isAuthority: true });
const harmed = { completes: false, failedHandshakes: "some", messages: ["check-plan refuses"] } as const;
const names = ["pay.example.net", "shop.example.net"];

/** Two hostnames on a new proxy that validates clients. */
function validating(mode: ClientAuthenticationSpec["mode"]): MigrationSpec {
  const newTargetHttpsProxy = {
    urlMap: "rehearsal",
    forwardingRules: { ipv4Address: newAddress },
    clientAuthentication: { mode, trustAnchors: [root.pem] },
  };
  return {
    ...smallSpec,
    certificates: [{ domains: names }],
    loadBalancer: { kind: "globalExternal", newTargetHttpsProxy },
  };
}

/** A public certificate and a certificate of a private CA, in addition to an uploaded certificate. */
const everyCertificate: MigrationSpec = {
  ...validating("ALLOW_INVALID_OR_MISSING_CLIENT_CERT"),
  certificates: [
    { domains: ["shop.example.com"] },
    {
      kind: "privateCa",
      domains: ["status.corp.internal"],
      caPool: "projects/rehearsal-project/locations/europe-west6/caPools/internal",
    },
  ],
  dns: {
    kind: "cloudDns",
    zones: { "example.com": "example-com", "example.org": "example-org", "corp.internal": "corp-internal" },
  },
};

const place = "projects/rehearsal-project/global";
const policy = "projects/rehearsal-project/locations/global/serverTlsPolicies/clients";
const proxy: AdoptedTargetHttpsProxySpec = {
  name: "web",
  urlMap: `${place}/urlMaps/web`,
  sslCertificates: [`${place}/sslCertificates/today`],
  sslPolicy: "",
  quicOverride: "UNSET",
  tlsEarlyData: "UNSET",
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: policy,
  description: "",
};

/** A proxy that serves two hostnames and has an existing policy, which every change has to preserve. */
const adopting: MigrationSpec = {
  ...smallSpec,
  certificates: [{ domains: names }],
  loadBalancer: {
    kind: "globalExternal",
    servingProxies: [
      {
        proxy: `${place}/targetHttpsProxies/web`,
        addresses: [newAddress],
        certificates: [{ id: `${place}/sslCertificates/today`, domains: names }],
      },
    ],
    adoptTargetHttpsProxies: [proxy],
  },
};

type Side = NonNullable<Meeting["side"]>;
const acceptedWith = (side: Side, atLeast = 2): Proof =>
  hostnamesMet(`hostnames on the ${side} side that accept a client with a certificate`, atLeast, (each) => {
    return each.side === side && each.ok && each.clientCertificate === true;
  });
const acceptedWithout = (side: Side, atLeast = 2): Proof =>
  hostnamesMet(`hostnames on the ${side} side that accept a client without a certificate`, atLeast, (each) => {
    return each.side === side && each.ok && each.clientCertificate === false && each.refused !== true;
  });
const refusedWithout = (side: Side): Proof =>
  hostnamesMet(`hostnames on the ${side} side that refuse a client without a certificate`, 2, (each) => {
    return each.side === side && each.ok && each.clientCertificate === false && each.refused === true;
  });
const made = answered("networksecurity.projects.locations.serverTlsPolicies.create", "server TLS policies made");

/** Deploys the migration with another proxy, after check-plan has checked the plan. */
function withProxy(name: string, change: (proxy: object) => object): SceneAct {
  return {
    name,
    run: async (stage, scene) => {
      const { loadBalancer } = scene.spec;
      const newTargetHttpsProxy = change(loadBalancer?.newTargetHttpsProxy ?? {});
      const next = { ...scene.spec, loadBalancer: { ...loadBalancer, newTargetHttpsProxy } } as MigrationSpec;
      await stage.terraform.write(scene.stackOf(next));
      await reportDangers(stage, scene);
      const deployed = await scene.deploy(stage, next);
      await stage.pass(120);
      await stage.prober.everyHostname();
      return deployed;
    },
  };
}

const dropPolicy = withProxy("the proxy loses 'clientAuthentication'", (given) => {
  return { ...given, clientAuthentication: undefined };
});
const addRejectingPolicy = withProxy("the proxy gets 'clientAuthentication' with REJECT_INVALID", (given) => {
  return { ...given, clientAuthentication: { mode: "REJECT_INVALID", trustAnchors: [root.pem] } };
});

/** Scenarios with mutual TLS: results for clients with and without a certificate must not change. */
export const mutualTlsScenarios: readonly Scenario[] = [
  {
    name: "mutual-tls-optional",
    summary: "both sides accept clients with and without a certificate, and validate the certificates",
    spec: validating("ALLOW_INVALID_OR_MISSING_CLIENT_CERT"),
    extras: true,
    proofs: [
      made,
      ...(["previous", "loadBalancer"] as const).flatMap((side) => [acceptedWith(side), acceptedWithout(side)]),
    ],
    expect: unharmed,
  },
  {
    name: "mutual-tls-required",
    summary: "both sides accept clients with a certificate, and refuse clients without a certificate",
    spec: validating("REJECT_INVALID"),
    extras: true,
    proofs: [
      made,
      ...(["previous", "loadBalancer"] as const).flatMap((side) => [acceptedWith(side), refusedWithout(side)]),
    ],
    expect: unharmed,
  },
  {
    name: "mutual-tls-every-certificate",
    summary: "a public, a private and an uploaded certificate on a proxy that validates clients, all eight steps",
    spec: everyCertificate,
    uploads: [["partner.example.org"]],
    extras: true,
    proofs: [
      made,
      answered("certificatemanager.projects.locations.certificateIssuanceConfigs.create", "issuance configs made"),
      ...(["previous", "loadBalancer"] as const).flatMap((side) => [acceptedWith(side, 3), acceptedWithout(side, 3)]),
    ],
    expect: unharmed,
  },
  {
    name: "mutual-tls-existing-policy",
    summary: "an imported proxy keeps its server TLS policy while the map is attached, detached and attached again",
    spec: adopting,
    existingPolicyMode: "REJECT_INVALID",
    extras: true,
    proofs: [
      answered("compute.targetHttpsProxies.setCertificateMap", "maps set on and removed from proxies", 3),
      acceptedWith("loadBalancer"),
      refusedWithout("loadBalancer"),
    ],
    expect: unharmed,
  },
  {
    name: "mutual-tls-policy-dropped",
    summary: "a proxy that refuses clients without a certificate loses its server TLS policy, and accepts them",
    spec: validating("REJECT_INVALID"),
    acts: [dropPolicy],
    proofs: [failuresMet(/^the server accepted a client without/, "kinds of clients that must not be accepted")],
    expect: harmed,
  },
  {
    name: "mutual-tls-validation-dropped",
    summary: "a proxy that validates certificates of clients loses its server TLS policy, and validates none",
    spec: validating("ALLOW_INVALID_OR_MISSING_CLIENT_CERT"),
    acts: [dropPolicy],
    proofs: [failuresMet(/^the server did not validate/, "kinds of clients that are not validated")],
    expect: harmed,
  },
  {
    name: "mutual-tls-rejecting-policy-added",
    summary: "a proxy whose clients have no certificates gets a policy that refuses clients without a certificate",
    spec: {
      ...validating("REJECT_INVALID"),
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address: newAddress } },
      },
    },
    acts: [addRejectingPolicy],
    proofs: [failuresMet(/^closed before|ECONNRESET/, "kinds of clients that are refused")],
    expect: harmed,
  },
];
