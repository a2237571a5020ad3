import type { MigrationSpec } from "../../lib/plan";
import { makeChainCertificate } from "./made-chain";
import { makeCertificate } from "./make-certificate";

const adopted = {
  urlMap: "global/urlMaps/web",
  sslCertificates: ["projects/my-project/global/sslCertificates/old"],
  sslPolicy: "projects/my-project/global/sslPolicies/modern",
  description: "the proxy of the shop",
  project: "my-project",
};

/** Managed certificates, new proxies, records and alerts, with every property of each. */
const managed: MigrationSpec = {
  name: "shop",
  phase: "serve",
  gate: "wait",
  gateCommand: "npx --no-install cert-migration",
  gateTimeoutMinutes: 90,
  operationTimeoutMinutes: 30,
  maxDomainsPerCertificate: 50,
  enableApis: true,
  project: "my-project",
  namePrefix: "prod",
  labels: { team: "web" },
  description: "the shop",
  authorizationType: "FIXED_RECORD",
  existingAuthorizations: { "example.net": "projects/my-project/locations/global/dnsAuthorizations/net" },
  mustServe: ["www.example.com"],
  alerts: {
    notificationChannels: ["projects/my-project/notificationChannels/1"],
    uptimeChecks: "all",
    wildcardProbes: {},
    checkIntervalSeconds: 600,
    daysBeforeExpiry: 20,
    dashboard: false,
  },
  certificates: [
    {
      name: "shop",
      domains: ["www.example.com", "pay.example.net"],
      hostnames: ["www.example.com", "pay.example.net"],
      alternatives: ["projects/my-project/locations/global/certificates/second"],
      primary: true,
      generation: 1,
      project: "my-project",
      scope: "DEFAULT",
      location: "global",
      labels: { tier: "front" },
      description: "the front",
    },
    {
      kind: "existing",
      name: "known",
      domains: ["known.example.com"],
      id: "projects/my-project/locations/global/certificates/known",
    },
  ],
  dns: {
    kind: "cloudDns",
    project: "my-dns",
    ttlSeconds: 600,
    zones: { "example.com": { name: "example-com", project: "my-dns" }, "example.net": "example-net" },
  },
  loadBalancer: {
    kind: "globalExternal",
    project: "my-project",
    newTargetHttpsProxy: {
      name: "shop",
      urlMap: "global/urlMaps/web",
      sslPolicy: "global/sslPolicies/modern",
      quicOverride: "ENABLE",
      forwardingRules: {
        ipv4Address: "203.0.113.7",
        ipv6Address: "2001:db8::7",
        loadBalancingScheme: "EXTERNAL_MANAGED",
      },
    },
    newTargetSslProxy: {
      name: "tcp",
      backendService: "global/backendServices/tcp",
      sslPolicy: "global/sslPolicies/modern",
      proxyHeader: "NONE",
      forwardingRules: { ipv4Address: "203.0.113.8" },
    },
    addresses: { ipv4: ["203.0.113.7"], ipv6: ["2001:db8::7"] },
  },
  traffic: {
    to: "loadBalancer",
    hostnames: ["www.example.com", "pay.example.net"],
    ttlSeconds: 60,
    ingressLabel: "ingress",
    previous: {
      "www.example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8::1"] },
      "pay.example.net": { cname: "old.example.org." },
    },
  },
};

/** Existing proxies that the migration adopts. */
const adopting: MigrationSpec = {
  name: "adopting",
  certificates: [{ domains: ["a.example.com"] }],
  dns: { kind: "external" },
  existingCertificateMap: "projects/my-project/locations/global/certificateMaps/web",
  loadBalancer: {
    kind: "globalExternal",
    adoptTargetHttpsProxies: [
      {
        ...adopted,
        name: "web",
        attachMap: true,
        quicOverride: "UNSET",
        tlsEarlyData: "UNSET",
        httpKeepAliveTimeoutSeconds: 60,
        serverTlsPolicy: "projects/my-project/locations/global/serverTlsPolicies/clients",
      },
      {
        ...adopted,
        name: "strict",
        quicOverride: "NONE",
        tlsEarlyData: "DISABLED",
        httpKeepAliveTimeoutSeconds: 0,
        serverTlsPolicy: "",
      },
    ],
    adoptTargetSslProxies: [
      {
        name: "tcp",
        backendService: "global/backendServices/tcp",
        sslCertificates: [],
        sslPolicy: "global/sslPolicies/modern",
        attachMap: true,
        proxyHeader: "NONE",
        project: "my-project",
        description: "the proxy of the queue",
      },
    ],
    addresses: ["203.0.113.7"],
  },
};

/** Certificates of a private CA at a regional internal load balancer. */
const privateCa: MigrationSpec = {
  name: "private",
  gate: "none",
  certificates: [
    {
      kind: "privateCa",
      domains: ["orders.corp.internal"],
      caPool: "projects/my-project/locations/europe-west1/caPools/pool",
      lifetime: "30d",
      rotationWindowPercentage: 50,
      keyAlgorithm: "ECDSA_P256",
    },
    {
      kind: "privateCa",
      domains: ["mail.corp.internal"],
      existingIssuanceConfig: "projects/my-project/locations/europe-west1/certificateIssuanceConfigs/config",
    },
  ],
  dns: { kind: "external" },
  loadBalancer: {
    kind: "regionalInternal",
    region: "europe-west1",
    newTargetHttpsProxy: {
      urlMap: "regions/europe-west1/urlMaps/web",
      serverTlsPolicy: "projects/my-project/locations/europe-west1/serverTlsPolicies/clients",
      forwardingRules: { ipv4Address: "10.0.0.7", network: "global/networks/main", subnetwork: "front" },
    },
  },
};

/** Proxies that serve today and that another configuration owns. */
const serving: MigrationSpec = {
  name: "serving",
  certificates: [{ domains: ["www.example.com"] }],
  dns: { kind: "external" },
  loadBalancer: {
    kind: "globalExternal",
    servingProxies: [
      {
        proxy: "projects/my-project/global/targetHttpsProxies/web",
        addresses: ["203.0.113.7"],
        certificates: [{ id: "projects/my-project/global/sslCertificates/old", domains: ["www.example.com"] }],
      },
    ],
  },
};

/** Uploaded certificates, with each way to store the key, and the properties of former versions. */
function uploadSpecs(): readonly MigrationSpec[] {
  const uploaded = makeCertificate(["upload.example.com"]);
  return [
    {
      name: "uploads",
      certificates: [
        {
          kind: "selfManaged",
          domains: ["upload.example.com"],
          certificatePem: uploaded.certificatePem,
          privateKeyPem: uploaded.privateKeyPem,
          privateKeyStorage: "state",
        },
      ],
      dns: { kind: "external" },
    },
    {
      name: "variable",
      certificates: [
        {
          kind: "selfManaged",
          domains: ["upload.example.com"],
          certificatePem: uploaded.certificatePem,
          privateKeyVariable: "key",
        },
      ],
      dns: { kind: "external" },
    },
    {
      name: "former",
      certificates: [
        {
          domains: ["upload.example.com"],
          selfManaged: {
            certificatePem: uploaded.certificatePem,
            privateKeyPem: uploaded.privateKeyPem,
            privateKeyStorage: "state",
          },
        },
        {
          domains: ["orders.example.com"],
          issuedBy: { caPool: "projects/my-project/locations/europe-west1/caPools/pool", lifetime: "30d" },
        },
        {
          domains: ["known.example.com"],
          existingCertificateId: "projects/my-project/locations/global/certificates/known",
        },
      ],
      dns: { kind: "external" },
    },
  ];
}

/** A new proxy that validates clients. */
function clientAuthenticationSpec(): MigrationSpec {
  const { pem: root } = makeChainCertificate({ commonName: "root", isAuthority: true });
  const clients = {
    mode: "REJECT_INVALID",
    trustAnchors: [root],
    intermediates: [root],
    allowlisted: [root],
  } as const;
  return {
    name: "clients",
    certificates: [{ domains: ["a.example.com"] }],
    dns: { kind: "external" },
    loadBalancer: {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "web", clientAuthentication: clients },
    },
  };
}

/** Valid specs that together contain every property of a spec. */
export function specsWithEveryField(): readonly MigrationSpec[] {
  return [managed, adopting, ...uploadSpecs(), clientAuthenticationSpec(), privateCa, serving];
}

/** Returns a copy of data with another value, or another key, at a place. */
export function replaceAt(
  data: unknown,
  steps: readonly string[],
  change: { readonly value?: unknown; readonly key?: string },
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return change.value;
  if (Array.isArray(data))
    return data.map((item, index) => (String(index) === step ? replaceAt(item, rest, change) : item));
  const entries = Object.entries(data as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key !== step) return [key, value];
      return rest.length === 0 && change.key !== undefined
        ? [change.key, value]
        : [key, replaceAt(value, rest, change)];
    }),
  );
}
