import type { ApiObject } from "../cloud-api";
import { isList, type Value, type ValueObject } from "../value";
import { links, type RestRow } from "./rest-row";

const urlMap = {
  service: "compute",
  apiNames: {
    map_id: "id",
    host_rule: "hostRules",
    path_matcher: "pathMatchers",
    "path_matcher.path_rule": "pathRules",
    test: "tests",
    "default_custom_error_response_policy.error_response_rule": "errorResponseRules",
    "path_matcher.default_custom_error_response_policy.error_response_rule": "errorResponseRules",
    "path_matcher.path_rule.custom_error_response_policy.error_response_rule": "errorResponseRules",
    "path_matcher.route_rules.custom_error_response_policy.error_response_rule": "errorResponseRules",
  },
  equivalences: links(
    "default_service",
    "path_matcher.default_service",
    "path_matcher.path_rule.service",
    "path_matcher.route_rules.service",
    "test.service",
  ),
  defaults: {
    "default_route_action.retry_policy.num_retries": 1,
    "path_matcher.default_route_action.retry_policy.num_retries": 1,
  },
  update: "put",
  encodeUpdate: (body: ApiObject): ApiObject => ({ hostRules: [], ...body }),
} as const satisfies Partial<RestRow>;

const healthCheckBlocks = ["http", "https", "http2", "ssl", "tcp", "grpc"] as const;

const healthCheck = {
  service: "compute",
  answers: { onlyIfConfigured: ["log_config"] },
  defaults: {
    check_interval_sec: 5,
    healthy_threshold: 2,
    timeout_sec: 5,
    unhealthy_threshold: 2,
    ...Object.fromEntries(
      healthCheckBlocks
        .filter((each) => each !== "grpc")
        .map((each): [string, Value] => [`${each}_health_check.proxy_header`, "NONE"]),
    ),
    ...Object.fromEntries(
      (["http", "https", "http2"] as const).map((each): [string, Value] => [`${each}_health_check.request_path`, "/"]),
    ),
    "http_health_check.port": 80,
    "https_health_check.port": 443,
    "http2_health_check.port": 443,
    "ssl_health_check.port": 443,
    "tcp_health_check.port": 443,
  },
  apiNames: { health_check_id: "id" },
  update: "put",
  // The block that is set determines the type, which the API also requires.
  encode: (body: ApiObject, planned: ValueObject): ApiObject => {
    const kind = healthCheckBlocks.find((each) => {
      const block = planned[`${each}_health_check`];
      return isList(block) && block.length > 0;
    });
    return kind === undefined ? body : { ...body, type: kind.toUpperCase() };
  },
  encodeUpdate: (body: ApiObject): ApiObject => ({ description: "", logConfig: {}, ...body }),
} as const satisfies Partial<RestRow>;

const backendService = {
  service: "compute",
  answers: { onlyIfConfigured: ["log_config", "iap", "cdn_policy"] },
  apiNames: {
    backend: "backends",
    generated_id: "id",
    enable_cdn: "enableCDN",
    "ha_policy.fast_ip_move": "fastIPMove",
    "iap.oauth2_client_id_wo": "oauth2ClientId",
    "iap.oauth2_client_secret_wo": "oauth2ClientSecret",
    "log_config.request_headers": "loggingHttpRequestHeaders",
    "log_config.response_headers": "loggingHttpResponseHeaders",
    connection_draining_timeout_sec: "connectionDraining.drainingTimeoutSec",
  },
  encode: (body: ApiObject): ApiObject => ({ iap: null, ...body }),
  update: "put",
} as const satisfies Partial<RestRow>;

/** Defaults of the provider itself; values that the API chooses are computed. */
const backendDefaults = {
  connection_draining_timeout_sec: 300,
  "cdn_policy.signed_url_cache_max_age_sec": 3_600,
  "circuit_breakers.max_connections": 1_024,
  "circuit_breakers.max_pending_requests": 1_024,
  "circuit_breakers.max_requests": 1_024,
  "circuit_breakers.max_retries": 3,
  "consistent_hash.minimum_ring_size": 1_024,
  "log_config.sample_rate": 1,
  "backend.balancing_mode": "UTILIZATION",
} as const;

/** Secrets of Identity-Aware Proxy. */
const iapSecrets = ["iap.oauth2_client_secret", "iap.oauth2_client_secret_sha256"] as const;

/** Resource types behind proxies. Source: the provider's source code at 6.50.0. */
export const backendRows: readonly RestRow[] = [
  {
    ...urlMap,
    type: "google_compute_url_map",
    collection: "projects/{project}/global/urlMaps",
    forceNew: ["name", "project"],
  },
  {
    ...urlMap,
    type: "google_compute_region_url_map",
    collection: "projects/{project}/regions/{region}/urlMaps",
    // A change of the region is sent to the new region, where the map does not exist.
    forceNew: ["name", "project"],
  },
  {
    ...healthCheck,
    type: "google_compute_health_check",
    collection: "projects/{project}/global/healthChecks",
    forceNew: ["name", "project"],
  },
  {
    ...healthCheck,
    type: "google_compute_region_health_check",
    collection: "projects/{project}/regions/{region}/healthChecks",
    forceNew: ["name", "region", "project"],
  },
  {
    ...backendService,
    type: "google_compute_backend_service",
    encodeUpdate: (body) => ({ backends: [], customRequestHeaders: [], customResponseHeaders: [], ...body }),
    collection: "projects/{project}/global/backendServices",
    forceNew: ["name", "project"],
    equivalences: links("health_checks", "security_policy", "edge_security_policy", "backend.group"),
    sensitive: [...iapSecrets, "security_settings.aws_v4_authentication.access_key"],
    defaults: { ...backendDefaults, load_balancing_scheme: "EXTERNAL", "backend.capacity_scaler": 1 },
  },
  {
    ...backendService,
    type: "google_compute_region_backend_service",
    encodeUpdate: (body) => ({ backends: [], ...body }),
    collection: "projects/{project}/regions/{region}/backendServices",
    forceNew: ["name", "load_balancing_scheme", "ha_policy.fast_ip_move", "project"],
    equivalences: links("health_checks", "backend.group", "network"),
    sensitive: iapSecrets,
    defaults: { ...backendDefaults, load_balancing_scheme: "INTERNAL" },
  },
  {
    type: "google_compute_http_health_check",
    service: "compute",
    collection: "projects/{project}/global/httpHealthChecks",
    forceNew: ["name", "project"],
    defaults: {
      check_interval_sec: 5,
      healthy_threshold: 2,
      port: 80,
      request_path: "/",
      timeout_sec: 5,
      unhealthy_threshold: 2,
    },
    update: "put",
  },
];
