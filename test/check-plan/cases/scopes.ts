import { at, type Case, certificate, cm, type Fields, id, next, planOf, referring, repoint, type Step } from "../plans";

const edge = `${cm}_certificate.edge`;
const client = `${cm}_certificate.client`;
const regional = "google_compute_region_target_https_proxy.web";
const crossRegion = "google_compute_target_https_proxy.cross";
const backends = "google_network_security_backend_authentication_config.backends";
const media = "google_network_services_edge_cache_service.media";
const scoped = (name: string, scope: string): Fields => ({ ...certificate(name), scope });
const there = {
  [edge]: scoped("edge", "EDGE_CACHE"),
  [client]: scoped("client", "CLIENT_AUTH"),
  [`${cm}_certificate.all`]: scoped("all", "ALL_REGIONS"),
  [`${cm}_certificate.default`]: scoped("default", "DEFAULT"),
};
const creating = (address: string, after: Fields): Step => ({ address, actions: ["create"], after });
const proxyWith = (...names: readonly string[]) => ({ name: "web", certificate_manager_certificates: names.map(id) });
const backendsWith = (name: string) => ({ name: "backends", client_certificate: id(name) });
const mediaWith = (name: string) => ({ name: "media", edge_ssl_certificates: [id(name)] });
const madeWith = (scope: string): Step => ({
  address: next,
  actions: ["create"],
  after: { scope, self_managed: [{}], san_dnsnames: ["example.com"] },
  unknown: { id: true },
});
const refusal = (title: string, step: Step): Case => [
  title,
  planOf([step], { there }),
  [`certificate-scope-unusable ${step.address}`],
];

export const refused: readonly Case[] = [
  refusal(
    "a new entry gets a certificate of Media CDN",
    creating(`${cm}_certificate_map_entry.new`, {
      map: "other",
      hostname: "example.com",
      certificates: [id("default"), id("edge")],
    }),
  ),
  refusal("an entry gets a client certificate", {
    address: at.entry,
    actions: ["update"],
    after: { certificates: [id("client")] },
  }),
  refusal("an entry gets a certificate of cross-region load balancers", {
    address: at.entry,
    actions: ["update"],
    after: { certificates: [id("all")] },
  }),
  refusal("a regional proxy gets a client certificate", creating(regional, proxyWith("client"))),
  refusal(
    "a global proxy gets a certificate of map entries directly",
    creating(crossRegion, proxyWith("all", "default")),
  ),
  refusal(
    "a backend authentication config gets a certificate of load balancers",
    creating(backends, backendsWith("default")),
  ),
  refusal("an edge cache service gets a client certificate", creating(media, mediaWith("client"))),
  [
    "an entry gets a certificate of Media CDN that is created in the same apply",
    planOf([madeWith("EDGE_CACHE"), repoint], { there, more: referring(next) }),
    [`certificate-scope-unusable ${at.entry}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "a global proxy gets a certificate of all regions",
    planOf([creating(crossRegion, proxyWith("all"))], { there }),
    [],
  ],
  [
    "a regional proxy gets a certificate of the default scope",
    planOf([creating(regional, proxyWith("default"))], { there }),
    [],
  ],
  [
    "a backend authentication config gets a client certificate",
    planOf([creating(backends, backendsWith("client"))], { there }),
    [],
  ],
  [
    "an edge cache service gets a certificate of Media CDN",
    planOf([creating(media, mediaWith("edge"))], { there }),
    [],
  ],
  [
    "an entry gets a new certificate of the default scope",
    planOf([madeWith("DEFAULT"), repoint], { there, more: referring(next) }),
    [],
  ],
];
