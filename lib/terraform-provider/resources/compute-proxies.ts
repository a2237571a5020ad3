import type { JsonObject } from "../cloud-api";
import { isList, type ValueObject } from "../value";
import { links } from "./links";
import type { RestRow, Setter } from "./rest-row";
import type { Template } from "./template";

const certificateManagerHost = "//certificatemanager.googleapis.com/";

/** One member of the API holds what are two attributes of the provider, told apart by their hosts. */
const certificates = {
  apiNames: { certificate_manager_certificates: "certificateManagerCertificates" },
  encode: (body: JsonObject, planned: ValueObject): JsonObject => {
    const { certificateManagerCertificates, ...rest } = body;
    const managed = planned.certificate_manager_certificates;
    if (!isList(managed) || managed.length === 0) return rest;
    return { ...rest, sslCertificates: managed.map((name) => withHost(String(name))) };
  },
  decode: (answer: JsonObject): JsonObject => {
    const all = (answer.sslCertificates as readonly string[] | undefined) ?? [];
    const [managed, own] = [all.filter(isManaged), all.filter((link) => !isManaged(link))];
    return {
      ...answer,
      sslCertificates: own.length === 0 ? undefined : own,
      certificateManagerCertificates: managed.length === 0 ? undefined : managed,
    };
  },
} as const;

function withHost(name: string): string {
  return isManaged(name) ? name : `${certificateManagerHost}${name}`;
}

function isManaged(link: string): boolean {
  return link.includes("/locations/") || link.startsWith(certificateManagerHost);
}

/** The generator gives `setUrlMap` and `setSslCertificates` a path without `global`, as the API has it. */
function globalSetters(collection: string): readonly Setter[] {
  const path = `projects/{project}/${collection}/{name}`;
  return [
    { action: "setQuicOverride", attributes: ["quic_override"] },
    { action: "setSslCertificates", attributes: ["ssl_certificates", "certificate_manager_certificates"], path },
    { action: "setCertificateMap", attributes: ["certificate_map"] },
    { action: "setSslPolicy", attributes: ["ssl_policy"] },
    { action: "setUrlMap", attributes: ["url_map"], path },
  ];
}

const inProject = "projects/{project}/global";
const inRegion = "projects/{project}/regions/{region}";

/** References to resources of the same place, which may be given by name. */
function references(
  place: Template,
  ...attributes: readonly (keyof typeof collections)[]
): Pick<RestRow, "references"> {
  return { references: Object.fromEntries(attributes.map((name) => [name, `${place}/${collections[name]}`])) };
}

const collections = {
  url_map: "urlMaps",
  ssl_policy: "sslPolicies",
  ssl_certificates: "sslCertificates",
  backend_service: "backendServices",
} as const;

/**
 * Target proxies, by the provider's documentation of 6.50.0 and its generator's files (magic-modules, mmv1/products/compute): these call the
 * whole resource immutable, and what has an `update_url` is not. The order of the setters is that of the files.
 */
export const proxyRows: readonly RestRow[] = [
  {
    type: "google_compute_target_https_proxy",
    service: "compute",
    collection: "projects/{project}/global/targetHttpsProxies",
    ...certificates,
    apiNames: { ...certificates.apiNames, proxy_id: "id" },
    forceNew: ["name", "description", "tls_early_data", "proxy_bind", "http_keep_alive_timeout_sec", "project"],
    atMostOne: [["ssl_certificates", "certificate_manager_certificates"]],
    defaults: { quic_override: "NONE" },
    equivalences: links(
      "url_map",
      "ssl_policy",
      "ssl_certificates",
      "certificate_manager_certificates",
      "certificate_map",
      "server_tls_policy",
    ),
    ...references(inProject, "url_map", "ssl_policy", "ssl_certificates"),
    volatile: ["fingerprint"],
    setters: globalSetters("targetHttpsProxies"),
    update: "patch",
  },
  {
    type: "google_compute_region_target_https_proxy",
    service: "compute",
    collection: "projects/{project}/regions/{region}/targetHttpsProxies",
    ...certificates,
    apiNames: { ...certificates.apiNames, proxy_id: "id" },
    forceNew: ["name", "description", "region", "http_keep_alive_timeout_sec", "project"],
    atMostOne: [["ssl_certificates", "certificate_manager_certificates"]],
    equivalences: links(
      "url_map",
      "ssl_policy",
      "ssl_certificates",
      "certificate_manager_certificates",
      "server_tls_policy",
    ),
    ...references(inRegion, "url_map", "ssl_policy", "ssl_certificates"),
    setters: [
      { action: "setSslCertificates", attributes: ["ssl_certificates", "certificate_manager_certificates"] },
      { action: "setUrlMap", attributes: ["url_map"] },
    ],
    update: "patch",
  },
  {
    type: "google_compute_target_ssl_proxy",
    service: "compute",
    collection: "projects/{project}/global/targetSslProxies",
    apiNames: { proxy_id: "id", backend_service: "service" },
    forceNew: ["name", "description", "project"],
    exactlyOne: [["ssl_certificates", "certificate_map"]],
    defaults: { proxy_header: "NONE" },
    equivalences: links("backend_service", "ssl_policy", "ssl_certificates", "certificate_map"),
    ...references(inProject, "backend_service", "ssl_policy", "ssl_certificates"),
    setters: [
      { action: "setProxyHeader", attributes: ["proxy_header"] },
      { action: "setBackendService", attributes: ["backend_service"] },
      { action: "setSslCertificates", attributes: ["ssl_certificates"] },
      { action: "setCertificateMap", attributes: ["certificate_map"] },
      { action: "setSslPolicy", attributes: ["ssl_policy"] },
    ],
  },
  {
    type: "google_compute_target_http_proxy",
    service: "compute",
    collection: "projects/{project}/global/targetHttpProxies",
    apiNames: { proxy_id: "id" },
    forceNew: ["name", "description", "proxy_bind", "http_keep_alive_timeout_sec", "project"],
    equivalences: links("url_map"),
    ...references(inProject, "url_map"),
    volatile: ["fingerprint"],
    setters: [{ action: "setUrlMap", attributes: ["url_map"], path: "projects/{project}/targetHttpProxies/{name}" }],
  },
  {
    type: "google_compute_region_target_http_proxy",
    service: "compute",
    collection: "projects/{project}/regions/{region}/targetHttpProxies",
    apiNames: { proxy_id: "id" },
    forceNew: ["name", "description", "region", "http_keep_alive_timeout_sec", "project"],
    equivalences: links("url_map"),
    ...references(inRegion, "url_map"),
    setters: [{ action: "setUrlMap", attributes: ["url_map"] }],
  },
];
