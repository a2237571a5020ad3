import type { Cloud } from "../../../lib/cloud";
import type {
  AdoptedTargetHttpsProxySpec,
  AdoptedTargetSslProxySpec,
  LoadBalancerSpec,
  MigrationSpec,
} from "../../../lib/plan";
import { forwardingRule } from "../../../lib/rehearsal/post-resource";
import { rehearsalLoadBalancerAddress as newAddress } from "../../../lib/rehearsed";
import { ask } from "./requests";
import { type Scenario, type Scene, type SceneAct, smallSpec, unharmed } from "./scenario";
import { answered, hostnamesMet, isTerraform, requestsThat } from "./shown";

const region = "europe-west1";
const oneName: MigrationSpec = { ...smallSpec, certificates: [{ domains: ["pay.example.net", "shop.example.net"] }] };
const names = ["pay.example.net", "shop.example.net"];

/** The load balancer already answers at its address; the migration changes only its certificates. */
const answering: MigrationSpec = {
  ...oneName,
  traffic: { to: "previous", previous: Object.fromEntries(names.map((name) => [name, { a: [newAddress] }])) },
};

const certificateOfToday = "projects/rehearsal-project/global/sslCertificates/today";
const nothingElse = { sslPolicy: "", description: "" } as const;

const httpsProxy: AdoptedTargetHttpsProxySpec = {
  ...nothingElse,
  name: "web",
  urlMap: "projects/rehearsal-project/global/urlMaps/web",
  sslCertificates: [certificateOfToday],
  quicOverride: "UNSET",
  tlsEarlyData: "UNSET",
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: "",
};

const sslProxy: AdoptedTargetSslProxySpec = {
  ...nothingElse,
  name: "mail",
  backendService: "projects/rehearsal-project/global/backendServices/mail",
  sslCertificates: [certificateOfToday],
  proxyHeader: "UNSET",
};

/** Creates a network load balancer with a directly attached certificate of another CA. */
async function makeSslFront(cloud: Cloud, { upload, project }: Scene): Promise<void> {
  const place = `projects/${project}/global`;
  const make = (collection: string, body: object) => ask(cloud, "POST", `compute/v1/${place}/${collection}`, body);
  const { chainPem, privateKeyPem } = await upload(names);
  await make("sslCertificates", { name: "today", certificate: chainPem, privateKey: privateKeyPem });
  await make("backendServices", { name: "mail", loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "TCP" });
  const service = `${place}/backendServices/mail`;
  await make("targetSslProxies", { name: "mail", service, sslCertificates: [certificateOfToday] });
  await make("forwardingRules", forwardingRule("front", newAddress, `${place}/targetSslProxies/mail`));
  await cloud.loadBalancers.settle();
}

function regional(kind: "regionalExternal" | "regionalInternal", ipv4Address: string): MigrationSpec {
  const loadBalancer: LoadBalancerSpec = {
    kind,
    region,
    newTargetHttpsProxy: {
      urlMap: `projects/rehearsal-project/regions/${region}/urlMaps/web`,
      forwardingRules: { ipv4Address },
    },
  };
  return { ...smallSpec, loadBalancer };
}

const internalAddress = "10.1.2.3";

/** Compares the resources that the cloud lists with the expected resources. */
function listed(
  name: string,
  pathOf: (project: string) => string,
  fits: (list: { readonly [field: string]: readonly Readonly<Record<string, unknown>>[] }) => boolean,
): SceneAct {
  return {
    name,
    run: async (stage, { project }) =>
      fits((await ask(stage.cloud, "GET", pathOf(project))) as Parameters<typeof fits>[0]),
  };
}

const noMap = {
  ...requestsThat(
    "maps made",
    ({ method }) => method === "certificatemanager.projects.locations.certificateMaps.create",
  ),
  atMost: 0,
};

/** Migrations to other kinds of load balancers, and to load balancers that already answer. */
export const frontScenarios: readonly Scenario[] = [
  {
    name: "existing-proxy-with-certificates",
    summary: "an HTTPS proxy that answers with direct certificates gets the map in place",
    spec: {
      ...answering,
      loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [httpsProxy], addresses: [newAddress] },
    },
    proofs: [answered("compute.targetHttpsProxies.setCertificateMap", "maps set on a proxy that answers")],
    expect: unharmed,
  },
  {
    name: "existing-ssl-proxy-refused",
    summary:
      "an SSL proxy with direct certificates can't be given a map: refused before Terraform runs, and it goes on",
    // The gate 'wait' would block step 8, because the load balancer presents no new certificate.
    spec: { ...answering, gate: "precondition", loadBalancer: { kind: "globalExternal", addresses: [newAddress] } },
    prepare: makeSslFront,
    acts: [
      {
        name: "the proxy is to be adopted",
        run: async (stage, scene) => {
          const loadBalancer: LoadBalancerSpec = {
            kind: "globalExternal",
            adoptTargetSslProxies: [sslProxy],
            addresses: [newAddress],
          };
          return !(await scene.deploy(stage, { ...scene.spec, loadBalancer }));
        },
      },
    ],
    proofs: [
      answered("compute.targetSslProxies.insert", "SSL proxies that are there"),
      hostnamesMet("hostnames that it answers for", 2, ({ side, ok }) => side === "loadBalancer" && ok),
      {
        ...requestsThat(
          "changes of it by Terraform",
          (request) =>
            isTerraform(request) &&
            request.mutation &&
            request.method?.startsWith("compute.targetSslProxies.") === true,
        ),
        atMost: 0,
      },
    ],
    expect: { ...unharmed, messages: ["target SSL proxy 'mail' has direct certificates"] },
  },
  {
    name: "ssl-proxy",
    summary: "a new SSL proxy of a network load balancer",
    spec: {
      ...smallSpec,
      loadBalancer: {
        kind: "globalExternal",
        newTargetSslProxy: { backendService: "mail", forwardingRules: { ipv4Address: newAddress } },
      },
    },
    extras: true,
    proofs: [answered("compute.targetSslProxies.insert", "SSL proxies made")],
    expect: unharmed,
  },
  {
    name: "classic-load-balancer",
    summary: "a forwarding rule of the classic Application Load Balancer",
    spec: {
      ...smallSpec,
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: {
          urlMap: "rehearsal",
          forwardingRules: { ipv4Address: newAddress, loadBalancingScheme: "EXTERNAL" },
        },
      },
    },
    extras: true,
    acts: [
      listed(
        "the forwarding rule is one of the classic load balancer",
        (project) => `compute/v1/projects/${project}/global/forwardingRules`,
        ({ items = [] }) => items.length > 0 && items.every((rule) => rule.loadBalancingScheme === "EXTERNAL"),
      ),
    ],
    proofs: [answered("compute.globalForwardingRules.insert", "forwarding rules made")],
    expect: unharmed,
  },
  {
    name: "regional-external",
    summary: "a regional external load balancer: certificates of the region, directly on the proxy",
    spec: regional("regionalExternal", newAddress),
    extras: true,
    proofs: [answered("compute.regionTargetHttpsProxies.insert", "regional proxies made"), noMap],
    expect: unharmed,
  },
  {
    name: "regional-internal",
    summary: "a regional internal load balancer: certificates of the region, directly on the proxy",
    spec: regional("regionalInternal", internalAddress),
    extras: true,
    proofs: [answered("compute.regionTargetHttpsProxies.insert", "regional proxies made"), noMap],
    expect: unharmed,
  },
  {
    name: "cross-region-internal",
    summary: "a cross-region internal load balancer: certificates of the scope ALL_REGIONS, directly on the proxy",
    spec: {
      ...smallSpec,
      loadBalancer: {
        kind: "crossRegionInternal",
        newTargetHttpsProxy: { urlMap: "rehearsal", forwardingRules: { ipv4Address: internalAddress } },
      },
    },
    extras: true,
    acts: [
      listed(
        "the certificates are those of all regions",
        (project) => `v1/projects/${project}/locations/global/certificates`,
        ({ certificates = [] }) =>
          certificates.length > 0 && certificates.every(({ scope }) => scope === "ALL_REGIONS"),
      ),
    ],
    proofs: [answered("compute.targetHttpsProxies.insert", "proxies made"), noMap],
    expect: unharmed,
  },
];
