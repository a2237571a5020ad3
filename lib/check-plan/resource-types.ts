/** Types of resources in plans. Other DNS providers have the types of Cloud DNS after `asCloudDns`. */
export const types = {
  authorization: "google_certificate_manager_dns_authorization",
  certificate: "google_certificate_manager_certificate",
  map: "google_certificate_manager_certificate_map",
  entry: "google_certificate_manager_certificate_map_entry",
  record: "google_dns_record_set",
  zone: "google_dns_managed_zone",
  issuanceConfig: "google_certificate_manager_certificate_issuance_config",
  trustConfig: "google_certificate_manager_trust_config",
  serverTlsPolicy: "google_network_security_server_tls_policy",
  backendAuthentication: "google_network_security_backend_authentication_config",
  edgeCacheService: "google_network_services_edge_cache_service",
} as const;

/** SSL policies: the TLS versions and ciphers of proxies. */
export const sslPolicyTypes = ["google_compute_ssl_policy", "google_compute_region_ssl_policy"] as const;

/** Certificates of Compute Engine, which proxies use without a map. */
export const classicTypes: ReadonlySet<string> = new Set([
  "google_compute_managed_ssl_certificate",
  "google_compute_ssl_certificate",
  "google_compute_region_ssl_certificate",
]);

export const proxyTypes: ReadonlySet<string> = new Set([
  "google_compute_target_https_proxy",
  "google_compute_target_ssl_proxy",
  "google_compute_region_target_https_proxy",
]);

export const forwardingRuleTypes: ReadonlySet<string> = new Set([
  "google_compute_global_forwarding_rule",
  "google_compute_forwarding_rule",
]);

export const addressTypes: ReadonlySet<string> = new Set(["google_compute_global_address", "google_compute_address"]);
