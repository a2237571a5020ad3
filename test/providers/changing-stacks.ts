import type { MadeCertificate } from "../support/make-certificate";

/** Name of the resources that the other resources of a stack reference. */
type Version = "one" | "two";

const versions: readonly Version[] = ["one", "two"];

/** Returns the same resource once for each version, with different names. */
function both(of: (version: Version) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(versions.map((version) => [version, { name: version, ...of(version) }]));
}

const region = "europe-west1";

/** Returns load balancers whose parts are all updated in place, each by a setter, a `PATCH` or a `PUT`. */
export function changing(version: Version, uploaded: readonly [MadeCertificate, MadeCertificate]): object {
  const isFirst = version === "one";
  const certificateOf = (each: Version) => {
    const { certificatePem, privateKeyPem } = each === "one" ? uploaded[0] : uploaded[1];
    return { certificate: certificatePem, private_key: privateKeyPem };
  };
  const description = isFirst ? "before" : "after";
  return {
    data: {
      google_compute_ssl_certificate: {
        found: { name: "one", depends_on: ["google_compute_ssl_certificate.one"] },
      },
    },
    resource: {
      google_dns_managed_zone: { main: { name: "zone", dns_name: "changes.example.", description } },
      google_compute_ssl_certificate: both(certificateOf),
      google_compute_region_ssl_certificate: both(certificateOf),
      ...sslPolicies(version),
      ...backends(version),
      google_compute_url_map: both(() => ({
        description,
        default_service: linkTo(version, "google_compute_backend_service", "web"),
      })),
      google_compute_region_url_map: both(() => ({
        description,
        default_service: linkTo(version, "google_compute_region_backend_service", "web"),
      })),
      ...targetProxies(version),
      google_compute_address: { main: { name: "regional", labels: { step: version } } },
      google_compute_global_forwarding_rule: {
        main: {
          name: "main",
          port_range: "443",
          load_balancing_scheme: "EXTERNAL_MANAGED",
          target: linkTo(version, "google_compute_target_https_proxy", isFirst ? "main" : "other"),
        },
      },
    },
  };
}

/** Returns a reference to a resource, by default to that of the version. */
function linkTo(version: Version, type: string, id: string = version): string {
  return `\${${type}.${id}.id}`;
}

function sslPolicies(version: Version): object {
  const policy =
    version === "one"
      ? { profile: "CUSTOM", custom_features: ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"] }
      : { profile: "MODERN", min_tls_version: "TLS_1_2" };
  return {
    google_compute_ssl_policy: { ...both(() => ({})), changed: { name: "changed", ...policy } },
    google_compute_region_ssl_policy: { ...both(() => ({})), changed: { name: "changed", region, ...policy } },
  };
}

function backends(version: Version): object {
  const isFirst = version === "one";
  return {
    google_compute_http_health_check: { main: { name: "legacy", port: isFirst ? 80 : 8080 } },
    google_compute_health_check: {
      main: { name: "alive", check_interval_sec: isFirst ? 5 : 10, tcp_health_check: { port: 443 } },
    },
    google_compute_region_health_check: {
      main: { name: "alive", check_interval_sec: isFirst ? 5 : 10, tcp_health_check: { port: 443 } },
    },
    google_compute_backend_service: {
      web: {
        name: "web",
        load_balancing_scheme: "EXTERNAL_MANAGED",
        health_checks: [linkTo(version, "google_compute_health_check", "main")],
        log_config: { enable: true },
      },
      legacy: {
        name: "legacy",
        load_balancing_scheme: "EXTERNAL",
        health_checks: [linkTo(version, "google_compute_http_health_check", "main")],
      },
      "raw-one": { name: "raw-one", protocol: "SSL", load_balancing_scheme: "EXTERNAL" },
      "raw-two": { name: "raw-two", protocol: "SSL", load_balancing_scheme: "EXTERNAL" },
    },
    google_compute_region_backend_service: {
      web: {
        name: "web",
        protocol: "HTTP",
        load_balancing_scheme: "EXTERNAL_MANAGED",
        health_checks: [linkTo(version, "google_compute_region_health_check", "main")],
      },
    },
  };
}

function targetProxies(version: Version): object {
  return {
    google_compute_target_https_proxy: {
      main: {
        name: "main",
        url_map: linkTo(version, "google_compute_url_map"),
        ssl_certificates: [linkTo(version, "google_compute_ssl_certificate")],
        ssl_policy: linkTo(version, "google_compute_ssl_policy"),
      },
      other: {
        name: "other",
        url_map: linkTo(version, "google_compute_url_map", "one"),
        ssl_certificates: [linkTo(version, "google_compute_ssl_certificate", "one")],
      },
    },
    google_compute_region_target_https_proxy: {
      main: {
        name: "main",
        url_map: linkTo(version, "google_compute_region_url_map"),
        ssl_certificates: [linkTo(version, "google_compute_region_ssl_certificate")],
        ssl_policy: linkTo(version, "google_compute_region_ssl_policy"),
      },
    },
    google_compute_target_http_proxy: { main: { name: "main", url_map: linkTo(version, "google_compute_url_map") } },
    google_compute_region_target_http_proxy: {
      main: { name: "main", url_map: linkTo(version, "google_compute_region_url_map") },
    },
    google_compute_target_ssl_proxy: {
      main: {
        name: "main",
        backend_service: linkTo(version, "google_compute_backend_service", `raw-${version}`),
        ssl_certificates: [linkTo(version, "google_compute_ssl_certificate")],
        ssl_policy: linkTo(version, "google_compute_ssl_policy"),
        proxy_header: version === "one" ? "NONE" : "PROXY_V1",
      },
    },
  };
}

/** APIs of a project that are enabled at the same time. */
export function servicesTogether(): object {
  const api = (name: string) => ({ service: `${name}.googleapis.com`, disable_on_destroy: true });
  return { resource: { google_project_service: { pubsub: api("pubsub"), spanner: api("spanner") } } };
}

/** APIs of a project and log buckets: one that is new, and one that every project has. */
export function services(retention_days: number): object {
  const bucket = (bucket_id: string) => ({ project: "recorded", location: "global", bucket_id, retention_days });
  return {
    resource: {
      google_project_service: {
        pubsub: { service: "pubsub.googleapis.com", disable_on_destroy: true },
        run: { service: "run.googleapis.com", disable_on_destroy: false },
      },
      google_logging_project_bucket_config: { own: bucket("own"), usual: bucket("_Default") },
    },
  };
}
