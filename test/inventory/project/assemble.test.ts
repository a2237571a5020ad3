import { assembleProject, type ProjectResources } from "../../../lib/inventory/project";

const base = "https://www.googleapis.com/compute/v1/projects/p";
type Change = Partial<ProjectResources["compute"] & ProjectResources["manager"] & Pick<ProjectResources, "zones">>;
const resourcesOf = ({ certificates = [], issuanceConfigs = [], certificateMaps = [], zones, ...compute }: Change) => ({
  project: "p",
  compute: { forwardingRules: [], proxies: [], urlMaps: [], addresses: [], sslCertificates: [], ...compute },
  manager: { certificates, issuanceConfigs, certificateMaps },
  zones: zones ?? new Map([["p", []]]),
  unread: [],
});
const proxy = (name: string, more: object = {}) => ({
  name,
  selfLink: `${base}/global/targetHttpsProxies/${name}`,
  ...more,
});
const rule = (name: string, more: object = {}) => ({
  name,
  selfLink: `${base}/global/forwardingRules/${name}`,
  IPAddress: "203.0.113.7",
  target: `${base}/global/targetHttpsProxies/web`,
  ...more,
});

const ownerOf = (given: Change) => assembleProject(resourcesOf(given)).inventory.proxies[0]?.owner;

test.each([
  "k8s-tps-web-1a2b3c",
  "k8s2-ts-abcd1234-default-web-x1y2",
  "gkegw1-ab12-default-web-zz",
  "gkemcg1-ab12-web",
])("recognizes a proxy of GKE by its name %s", (name) => {
  expect(ownerOf({ proxies: [proxy(name)] })).toBe("gke");
});

test.each(["web", "gke-web", "k8s", "my-k8s2-ts-web"])("does not take %s for a proxy of GKE", (name) => {
  expect(ownerOf({ proxies: [proxy(name)] })).toBeUndefined();
});

const gateway = JSON.stringify({ k8sResource: "/namespaces/store/gateways/web", k8sCluster: "/projects/p/clusters/c" });

test.each<[what: string, rule: object, reason: string | undefined]>([
  [
    "the description of an Ingress",
    { description: '{"kubernetes.io/ingress-name": "default/web"}' },
    'a description contains "kubernetes.io/ingress-name"',
  ],
  ["the description of a Gateway", { description: gateway }, 'a description contains "k8sResource"'],
  ["a label of GKE", { labels: { "goog-gke-node": "" } }, 'a forwarding rule has the label "goog-gke-node"'],
  ["prose about Kubernetes", { description: "front end of the k8sCluster, see example.io/runbook" }, undefined],
  ["a label of its users", { labels: { team: "goog-gke-node", "gke-team": "a" } }, undefined],
])("recognizes a proxy of GKE by its forwarding rule: %s", (_, more, reason) => {
  const { inventory } = assembleProject(resourcesOf({ proxies: [proxy("web")], forwardingRules: [rule("web", more)] }));
  const [{ owner, ownerReason } = {}] = inventory.proxies;
  expect({ owner, ownerReason }).toEqual({ owner: reason === undefined ? undefined : "gke", ownerReason: reason });
  expect(inventory.forwardingRules[0]).toMatchObject(more);
});

test("leaves out rules to targets without TLS, and addresses that no such rule uses", () => {
  const { inventory } = assembleProject(
    resourcesOf({
      proxies: [proxy("web")],
      forwardingRules: [
        rule("https", { portRange: "8443-8443" }),
        rule("http", { target: `${base}/global/targetHttpProxies/web` }),
        rule("pass", { target: undefined, backendService: `${base}/global/backendServices/b` }),
      ],
      addresses: [
        { name: "web", selfLink: `${base}/global/addresses/web`, address: "203.0.113.7" },
        { name: "idle", selfLink: `${base}/global/addresses/idle`, address: "203.0.113.8" },
      ],
    }),
  );
  expect(inventory.forwardingRules).toMatchObject([
    { name: "https", port: 8443, addressId: "projects/p/global/addresses/web" },
  ]);
  expect(inventory.addresses.map(({ name }) => name)).toEqual(["web"]);
});

test("assumes port 443 for a rule without a port to a TLS proxy, and writes an IPv6 address canonically", () => {
  const { inventory } = assembleProject(
    resourcesOf({ forwardingRules: [rule("web", { IPAddress: "2001:DB8:0:0::1" })] }),
  );
  expect(inventory.forwardingRules).toMatchObject([{ port: 443, ipAddress: "2001:db8::1", ipVersion: "IPV6" }]);
});

test("names the kind, the state and the validation of each certificate", () => {
  const managed = {
    domains: ["B.example.com.", "a.example.com"],
    status: "ACTIVE",
    domainStatus: { "a.example.com": "ACTIVE" },
  };
  const name = (location: string, id: string) => `projects/p/locations/${location}/certificates/${id}`;
  const { inventory } = assembleProject(
    resourcesOf({
      sslCertificates: [
        { name: "old", type: "MANAGED", selfLink: `${base}/global/sslCertificates/old`, managed },
        {
          name: "up",
          type: "SELF_MANAGED",
          selfLink: `${base}/regions/r1/sslCertificates/up`,
          certificate: "no PEM",
          expireTime: "2027-01-01T00:00:00-08:00",
        },
      ],
      certificates: [
        {
          name: name("global", "a"),
          managed: {
            domains: ["a.example.com"],
            state: "FAILED",
            authorizationAttemptInfo: [{ domain: "a.example.com", state: "FAILED" }],
          },
        },
        { name: name("r1", "b"), managed: { domains: [], dnsAuthorizations: ["x"] }, scope: "DEFAULT" },
        {
          name: name("r1", "d"),
          managed: {
            domains: ["d.corp.internal"],
            issuanceConfig: "projects/p/locations/r1/certificateIssuanceConfigs/corp",
          },
        },
        { name: name("global", "c"), selfManaged: {}, scope: "ALL_REGIONS" },
      ],
    }),
  );
  expect(inventory.certificates).toMatchObject([
    {
      kind: "computeManaged",
      domains: ["a.example.com", "b.example.com"],
      validation: "loadBalancer",
      renewedBy: "google",
    },
    { kind: "managerManaged", validation: "loadBalancer", status: "FAILED", domainStatuses: [{ status: "FAILED" }] },
    { kind: "managerUploaded", scope: "ALL_REGIONS", status: "ACTIVE", renewedBy: "you" },
    { kind: "managerManaged", region: "r1", validation: "dns", status: "PROVISIONING" },
    {
      kind: "managerManaged",
      validation: "privateCa",
      issuanceConfigId: "projects/p/locations/r1/certificateIssuanceConfigs/corp",
    },
    { kind: "computeUploaded", region: "r1", notAfter: "2027-01-01T08:00:00.000Z", renewedBy: "you" },
  ]);
});

test("prefers a map to certificates that are attached directly", () => {
  const map = "projects/p/locations/global/certificateMaps/m";
  const { inventory } = assembleProject(
    resourcesOf({
      proxies: [
        proxy("web", {
          certificateMap: `//certificatemanager.googleapis.com/${map}`,
          sslCertificates: [`${base}/global/sslCertificates/beside`],
        }),
      ],
      sslCertificates: [{ name: "beside", selfLink: `${base}/global/sslCertificates/beside` }],
      certificates: [{ name: "projects/p/locations/global/certificates/c", selfManaged: {} }],
      certificateMaps: [
        {
          map: { name: map },
          entries: [
            {
              name: `${map}/certificateMapEntries/e`,
              matcher: "PRIMARY",
              certificates: ["projects/p/locations/global/certificates/c"],
            },
          ],
        },
      ],
    }),
  );
  expect(inventory.proxies).toMatchObject([{ presents: "map", mapId: map }]);
  expect(inventory.maps).toMatchObject([
    { proxyIds: ["projects/p/global/targetHttpsProxies/web"], entries: [{ hostname: "PRIMARY" }] },
  ]);
  expect(inventory.certificates.map(({ name, proxyIds }) => [name, proxyIds.length])).toEqual([
    ["beside", 0],
    ["c", 1],
  ]);
});
