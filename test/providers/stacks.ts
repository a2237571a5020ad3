import type { MadeCertificate } from "../support/make-certificate";
import { changing, services, servicesTogether } from "./changing-stacks";
import type { Prepare, RecordedStack } from "./recorded-stack";

export const project = "recorded";
export const region = "europe-west1";

const managerHost = "//certificatemanager.googleapis.com/";
const newFirst = { create_before_destroy: true };
const authorization = "google_certificate_manager_dns_authorization";

/** A record set with the CNAME of an authorization. */
function challenge(id: string): object {
  const record = `${authorization}.${id}.dns_resource_record[0]`;
  return {
    managed_zone: "${google_dns_managed_zone.main.name}",
    name: `\${${record}.name}`,
    type: `\${${record}.type}`,
    ttl: 300,
    rrdatas: [`\${${record}.data}`],
  };
}

function address(rrdata: string, ttl: number): object {
  return {
    managed_zone: "${google_dns_managed_zone.main.name}",
    name: "www.example.com.",
    type: "A",
    ttl,
    rrdatas: [rrdata],
  };
}

/** Certificates, map and records. @param uploaded by the name of the uploaded certificate */
function certificates(
  domains: readonly string[],
  managedName: string,
  uploaded: readonly [string, MadeCertificate],
  www: object,
  labels: object,
): object {
  const [uploadedName, { certificatePem, privateKeyPem }] = uploaded;
  return {
    resource: {
      google_dns_managed_zone: { main: { name: "zone", dns_name: "example.com.", description: "recorded" } },
      [authorization]: {
        global: { name: "example-com", domain: "example.com", labels },
        regional: { name: "example-com", domain: "example.com", location: region, type: "PER_PROJECT_RECORD" },
      },
      google_dns_record_set: { global: challenge("global"), regional: challenge("regional"), www },
      google_certificate_manager_certificate: {
        managed: {
          name: managedName,
          description: "managed",
          labels,
          managed: { domains, dns_authorizations: [`\${${authorization}.global.id}`] },
          lifecycle: newFirst,
        },
        uploaded: {
          name: uploadedName,
          self_managed: { pem_certificate: certificatePem, pem_private_key: privateKeyPem },
          lifecycle: newFirst,
        },
      },
      google_certificate_manager_certificate_map: { main: { name: "map", labels } },
      google_certificate_manager_certificate_map_entry: {
        host: {
          name: "host",
          map: "${google_certificate_manager_certificate_map.main.name}",
          hostname: "example.com",
          certificates: ["${google_certificate_manager_certificate.managed.id}"],
        },
        uploaded: {
          name: "uploaded",
          map: "${google_certificate_manager_certificate_map.main.name}",
          hostname: "legacy.example.com",
          certificates: ["${google_certificate_manager_certificate.uploaded.id}"],
        },
        primary: {
          name: "primary",
          map: "${google_certificate_manager_certificate_map.main.name}",
          matcher: "PRIMARY",
          certificates: ["${google_certificate_manager_certificate.managed.id}"],
        },
      },
    },
  };
}

/** What the states of the load balancers differ in. */
interface Balancing {
  readonly map: "first" | "second";
  readonly certificate: "one" | "two";
  readonly labels: object;
  readonly proxy: object;
  readonly timeoutSeconds: number;
}

const managed = (name: string, location: string, more: object = {}) => ({
  name,
  ...(location === "global" ? {} : { location }),
  ...more,
  managed: { domains: ["example.com"], dns_authorizations: [`\${${authorization}.${location.replace(/-.*/, "")}.id}`] },
});

const backend = (name: string, scheme: string, timeoutSeconds: number, more: object = {}) => ({
  name,
  protocol: "HTTP",
  load_balancing_scheme: scheme,
  timeout_sec: timeoutSeconds,
  health_checks: ["${google_compute_health_check.main.id}"],
  ...more,
});

const urlMap = (name: string, id = name) => ({
  name,
  default_service: `\${google_compute_backend_service.${id}.id}`,
});

const regionalUrlMap = (name: string) => ({
  name,
  default_service: `\${google_compute_region_backend_service.${name}.id}`,
});

/** Every load balancer that the constructs know, in one stack. */
function loadBalancers(balancing: Balancing): object {
  return {
    resource: {
      [authorization]: {
        global: { name: "example-com", domain: "example.com" },
        europe: { name: "example-com", domain: "example.com", location: region, type: "PER_PROJECT_RECORD" },
      },
      google_certificate_manager_certificate: {
        "regional-one": managed("one", region),
        "regional-two": managed("two", region),
        "everywhere-one": managed("everywhere-one", "global", { scope: "ALL_REGIONS" }),
        "everywhere-two": managed("everywhere-two", "global", { scope: "ALL_REGIONS" }),
      },
      google_certificate_manager_certificate_map: { first: { name: "first" }, second: { name: "second" } },
      ...backends(balancing),
      google_compute_url_map: {
        external: {
          ...urlMap("external"),
          host_rule: [{ hosts: ["example.com"], path_matcher: "all" }],
          path_matcher: [
            {
              name: "all",
              default_service: "${google_compute_backend_service.external.id}",
              path_rule: [{ paths: ["/api/*"], service: "${google_compute_backend_service.external.id}" }],
            },
          ],
        },
        classic: urlMap("classic"),
        internal: urlMap("internal"),
      },
      google_compute_region_url_map: { external: regionalUrlMap("external"), internal: regionalUrlMap("internal") },
      ...targetProxies(balancing),
      ...forwardingRules(balancing),
    },
  };
}

function backends({ timeoutSeconds }: Balancing): object {
  const regionalBackend = (name: string, scheme: string) => ({
    ...backend(name, scheme, timeoutSeconds),
    health_checks: ["${google_compute_region_health_check.main.id}"],
  });
  return {
    google_compute_health_check: { main: { name: "alive", tcp_health_check: { port: 443 } } },
    google_compute_region_health_check: { main: { name: "alive", tcp_health_check: { port: 443 } } },
    google_compute_backend_service: {
      external: backend("external", "EXTERNAL_MANAGED", timeoutSeconds),
      classic: backend("classic", "EXTERNAL", timeoutSeconds),
      raw: backend("raw", "EXTERNAL", timeoutSeconds, { protocol: "SSL" }),
      internal: backend("internal", "INTERNAL_MANAGED", timeoutSeconds),
    },
    google_compute_region_backend_service: {
      external: regionalBackend("external", "EXTERNAL_MANAGED"),
      internal: regionalBackend("internal", "INTERNAL_MANAGED"),
    },
  };
}

function targetProxies({ map, certificate, proxy }: Balancing): object {
  const mapLink = `${managerHost}\${google_certificate_manager_certificate_map.${map}.id}`;
  const regionalProxy = (name: string) => ({
    name,
    url_map: `\${google_compute_region_url_map.${name}.id}`,
    certificate_manager_certificates: [
      `${managerHost}\${google_certificate_manager_certificate.regional-${certificate}.id}`,
    ],
  });
  return {
    google_compute_target_https_proxy: {
      external: {
        name: "external",
        url_map: "${google_compute_url_map.external.id}",
        certificate_map: mapLink,
        ...proxy,
      },
      classic: { name: "classic", url_map: "${google_compute_url_map.classic.id}", certificate_map: mapLink },
      internal: {
        name: "internal",
        url_map: "${google_compute_url_map.internal.id}",
        certificate_manager_certificates: [`\${google_certificate_manager_certificate.everywhere-${certificate}.id}`],
      },
    },
    google_compute_region_target_https_proxy: {
      external: regionalProxy("external"),
      internal: regionalProxy("internal"),
    },
    google_compute_target_ssl_proxy: {
      raw: { name: "raw", backend_service: "${google_compute_backend_service.raw.id}", certificate_map: mapLink },
    },
    google_compute_target_http_proxy: { plain: { name: "plain", url_map: "${google_compute_url_map.external.id}" } },
  };
}

/** Forwarding rules of every target proxy, with the addresses of some. */
function forwardingRules({ labels }: Balancing): object {
  const rule = (name: string, scheme: string, more: object) => ({
    name,
    port_range: "443",
    load_balancing_scheme: scheme,
    ...more,
  });
  return {
    google_compute_global_address: { v4: { name: "v4", labels }, v6: { name: "v6", ip_version: "IPV6" } },
    google_compute_global_forwarding_rule: {
      v4: rule("v4", "EXTERNAL_MANAGED", {
        labels,
        target: "${google_compute_target_https_proxy.external.id}",
        ip_address: "${google_compute_global_address.v4.id}",
      }),
      v6: rule("v6", "EXTERNAL_MANAGED", {
        target: "${google_compute_target_https_proxy.external.id}",
        ip_address: "${google_compute_global_address.v6.address}",
      }),
      classic: rule("classic", "EXTERNAL", { target: "${google_compute_target_https_proxy.classic.id}" }),
      raw: rule("raw", "EXTERNAL", { target: "${google_compute_target_ssl_proxy.raw.id}" }),
    },
    google_compute_forwarding_rule: {
      external: rule("external", "EXTERNAL_MANAGED", {
        target: "${google_compute_region_target_https_proxy.external.id}",
        network: "default",
        network_tier: "STANDARD",
      }),
      internal: rule("internal", "INTERNAL_MANAGED", {
        labels,
        target: "${google_compute_region_target_https_proxy.internal.id}",
        network: "default",
      }),
    },
  };
}

const first: Balancing = {
  map: "first",
  certificate: "one",
  labels: { team: "web" },
  proxy: {},
  timeoutSeconds: 30,
};
const second: Balancing = {
  map: "second",
  certificate: "two",
  labels: { team: "edge" },
  proxy: { quic_override: "DISABLE" },
  timeoutSeconds: 60,
};

const place = `projects/${project}/global`;

/** A proxy, a zone and a record set that were made elsewhere. */
async function makeLive(send: Prepare): Promise<void> {
  const compute = `compute/v1/${place}`;
  await send("POST", `${compute}/healthChecks`, { name: "alive", type: "TCP", tcpHealthCheck: { port: 443 } });
  await send("POST", `${compute}/backendServices`, {
    name: "web",
    protocol: "HTTPS",
    loadBalancingScheme: "EXTERNAL_MANAGED",
    healthChecks: [`${place}/healthChecks/alive`],
  });
  await send("POST", `${compute}/urlMaps`, { name: "urls", defaultService: `${place}/backendServices/web` });
  const manager = `v1/projects/${project}/locations/global/certificateMaps?certificateMapId=`;
  for (const name of ["live", "next"]) await send("POST", `${manager}${name}`, {});
  await send("POST", `${compute}/targetHttpsProxies`, {
    name: "front",
    urlMap: `${place}/urlMaps/urls`,
    certificateMap: `${managerHost}projects/${project}/locations/global/certificateMaps/live`,
  });
  const zones = `dns/v1/projects/${project}/managedZones`;
  await send("POST", zones, { name: "live", dnsName: "live.example.", description: "live" });
  for (const [name, rrdata] of [
    ["www", "198.51.100.1"],
    ["api", "198.51.100.2"],
  ]) {
    await send("POST", `${zones}/live/rrsets`, {
      name: `${name}.live.example.`,
      type: "A",
      ttl: 60,
      rrdatas: [rrdata],
    });
  }
}

function adopted(map: string, rrdata: string, importing: boolean): object {
  const recordSet = (name: string, data: string) => ({
    managed_zone: "live",
    name: `${name}.live.example.`,
    type: "A",
    ttl: 60,
    rrdatas: [data],
  });
  return {
    ...(importing
      ? {
          import: [
            { to: "google_compute_target_https_proxy.front", id: `${place}/targetHttpsProxies/front` },
            { to: "google_dns_record_set.www", id: `${project}/live/www.live.example./A` },
          ],
        }
      : {}),
    resource: {
      google_compute_target_https_proxy: {
        front: {
          name: "front",
          url_map: `${place}/urlMaps/urls`,
          certificate_map: `${managerHost}projects/${project}/locations/global/certificateMaps/${map}`,
        },
      },
      google_dns_record_set: {
        www: recordSet("www", rrdata),
        // Exists and is not imported: overwritten.
        api: recordSet("api", "203.0.113.8"),
      },
    },
  };
}

/** A certificate that is rotated, and whose traffic moves and is rolled back. */
function certificateStack([old, next]: readonly [MadeCertificate, MadeCertificate]): RecordedStack {
  const before = address("198.51.100.1", 300);
  const rotated = ["example.com", "*.example.com"];
  return {
    name: "certificates",
    steps: [
      {
        name: "create",
        stack: certificates(["example.com"], "first", ["old", old], before, { team: "web" }),
      },
      {
        name: "rotate",
        stack: certificates(rotated, "second", ["next", next], before, { team: "edge" }),
      },
      {
        name: "move traffic",
        stack: certificates(rotated, "second", ["next", next], address("203.0.113.7", 60), {}),
      },
      { name: "roll back traffic", stack: certificates(rotated, "second", ["next", next], before, {}) },
      { name: "destroy", stack: undefined },
    ],
  };
}

/** The stacks that are recorded. @param uploaded two certificates with their keys */
export function recordedStacks(uploaded: readonly [MadeCertificate, MadeCertificate]): readonly RecordedStack[] {
  return [
    certificateStack(uploaded),
    {
      name: "load-balancers",
      steps: [
        { name: "create", stack: loadBalancers(first) },
        { name: "rotate", stack: loadBalancers(second) },
        { name: "roll back", stack: loadBalancers(first) },
        { name: "destroy", stack: undefined },
      ],
    },
    {
      name: "changes",
      steps: [
        { name: "create", stack: changing("one", uploaded) },
        { name: "change", stack: changing("two", uploaded) },
        { name: "destroy", stack: undefined },
      ],
    },
    {
      name: "services",
      steps: [
        { name: "create", stack: services(30) },
        { name: "change", stack: services(60) },
        { name: "destroy", stack: undefined },
      ],
    },
    {
      name: "services together",
      parallelism: 2,
      steps: [
        { name: "create", stack: servicesTogether() },
        { name: "destroy", stack: undefined },
      ],
    },
    {
      name: "adopted",
      prepare: makeLive,
      steps: [
        { name: "import", stack: adopted("next", "198.51.100.1", true) },
        { name: "move traffic", stack: adopted("next", "203.0.113.7", false) },
        { name: "roll back", stack: adopted("live", "198.51.100.1", false) },
      ],
    },
  ];
}
