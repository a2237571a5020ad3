import { InputError } from "../../errors";
import { hasCertificateLink, hasCertificateName } from "../../resource-names";
import type { ApiObject } from "../cloud-api";
import { isList, type ValueObject } from "../value";
import type { Template } from "./resource-id";
import { links, type RestRow, type Setter } from "./rest-row";

/** Two attributes of the provider share one member of the API. The host in the links distinguishes them. */
const certificates = {
  apiNames: { certificate_manager_certificates: "certificateManagerCertificates" },
  encode: (body: ApiObject, planned: ValueObject): ApiObject => {
    const { certificateManagerCertificates, ...rest } = body;
    const managed = planned.certificate_manager_certificates;
    if (!isList(managed) || managed.length === 0) return withServerTlsPolicy(rest);
    return withServerTlsPolicy({ ...rest, sslCertificates: managed.map((name) => certificateLink(String(name))) });
  },
  encodeUpdate: withServerTlsPolicy,
  // All certificates of a proxy have the same kind, so the first determines it.
  decode: (answer: ApiObject): ApiObject => {
    const { sslCertificates, ...rest } = answer;
    const [first = ""] = (sslCertificates as readonly string[] | undefined) ?? [];
    return hasCertificateLink(first) ? { ...rest, certificateManagerCertificates: sslCertificates } : answer;
  },
} as const;

/**
 * Adds a null policy to a request that changes a proxy without a policy, as the provider does, so that a policy can be
 * removed.
 */
function withServerTlsPolicy(body: ApiObject): ApiObject {
  return "serverTlsPolicy" in body ? body : { ...body, serverTlsPolicy: null };
}

/** @throws InputError for a text that is neither a URL nor an id */
function certificateLink(certificate: string): string {
  if (certificate.startsWith("//") || certificate.startsWith("https://")) return certificate;
  if (hasCertificateName(certificate)) {
    return `https://certificatemanager.googleapis.com/v1/${certificate}`;
  }
  const allowed = "projects/PROJECT/locations/LOCATION/certificates/NAME";
  const message = `certificate_manager_certificates: '${certificate}' is not the id of a certificate; write ${allowed}, or the same after //certificatemanager.googleapis.com/`;
  throw new InputError("certificate-link-invalid", message);
}

/**
 * Returns the setters of a global proxy. The generator gives `setUrlMap` and `setSslCertificates` a path without
 * `global`, as in the API.
 */
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

/** Returns references to resources of the same place, which may be given by name. */
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

/** The parts that the rows of both HTTP proxies share. */
const httpProxy = {
  service: "compute",
  apiNames: { proxy_id: "id" },
  equivalences: links("url_map"),
} as const satisfies Partial<RestRow>;

/** The parts that the rows of both HTTPS proxies share. */
const httpsProxy = {
  ...certificates,
  service: "compute",
  apiNames: { ...certificates.apiNames, proxy_id: "id" },
  atMostOne: [["ssl_certificates", "certificate_manager_certificates"]],
  equivalences: {
    // `certificate_map` is omitted: its spellings are compared exactly.
    ...links("url_map", "ssl_policy", "ssl_certificates", "server_tls_policy"),
    certificate_manager_certificates: "resourceName",
  },
} as const satisfies Partial<RestRow>;

/**
 * Target proxies and their server TLS policies. Source: the provider's source code at 6.50.0, also of the order of the
 * setters.
 */
export const proxyRows: readonly RestRow[] = [
  {
    ...httpsProxy,
    type: "google_compute_target_https_proxy",
    collection: "projects/{project}/global/targetHttpsProxies",
    forceNew: ["name", "description", "tls_early_data", "proxy_bind", "http_keep_alive_timeout_sec", "project"],
    defaults: { quic_override: "NONE" },
    ...references(inProject, "url_map", "ssl_policy", "ssl_certificates"),
    setters: globalSetters("targetHttpsProxies"),
    patches: [{ attributes: ["server_tls_policy"], withFingerprint: true }],
  },
  {
    ...httpsProxy,
    type: "google_compute_region_target_https_proxy",
    collection: "projects/{project}/regions/{region}/targetHttpsProxies",
    forceNew: ["name", "description", "region", "http_keep_alive_timeout_sec", "project"],
    ...references(inRegion, "url_map", "ssl_policy", "ssl_certificates"),
    setters: [
      { action: "setSslCertificates", attributes: ["ssl_certificates", "certificate_manager_certificates"] },
      { action: "setUrlMap", attributes: ["url_map"] },
    ],
    patches: [
      { attributes: ["server_tls_policy"], withFingerprint: true },
      { attributes: ["ssl_policy"], withFingerprint: true },
    ],
  },
  {
    type: "google_network_security_server_tls_policy",
    service: "networksecurity",
    collection: "projects/{project}/locations/{location}/serverTlsPolicies",
    nameParameter: "serverTlsPolicyId",
    forceNew: ["name", "project", "mtls_policy.client_validation_mode", "mtls_policy.client_validation_trust_config"],
    defaults: { location: "global" },
    update: "mask",
  },
  {
    type: "google_compute_target_ssl_proxy",
    service: "compute",
    collection: "projects/{project}/global/targetSslProxies",
    apiNames: { proxy_id: "id", backend_service: "service" },
    forceNew: ["name", "description", "project"],
    exactlyOne: [["ssl_certificates", "certificate_map"]],
    defaults: { proxy_header: "NONE" },
    equivalences: links("backend_service", "ssl_policy", "ssl_certificates"),
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
    ...httpProxy,
    type: "google_compute_target_http_proxy",
    collection: "projects/{project}/global/targetHttpProxies",
    forceNew: ["name", "description", "proxy_bind", "http_keep_alive_timeout_sec", "project"],
    ...references(inProject, "url_map"),
    setters: [{ action: "setUrlMap", attributes: ["url_map"], path: "projects/{project}/targetHttpProxies/{name}" }],
  },
  {
    ...httpProxy,
    type: "google_compute_region_target_http_proxy",
    collection: "projects/{project}/regions/{region}/targetHttpProxies",
    forceNew: ["name", "description", "region", "http_keep_alive_timeout_sec", "project"],
    ...references(inRegion, "url_map"),
    setters: [{ action: "setUrlMap", attributes: ["url_map"] }],
  },
];
