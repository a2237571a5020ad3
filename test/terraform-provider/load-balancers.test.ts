import { makeCertificate } from "../support/make-certificate";
import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn({ operationMs: 20 });

type Blocks = Readonly<Record<string, object>>;

function stackOf(project: string, resource: Readonly<Record<string, Blocks>>, rest: object = {}): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project, region: "europe-west1" } },
    resource,
    ...rest,
  };
}

const map = "//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.main.id}";

/** A global external load balancer with a certificate map, IPv4 and IPv6, and an SSL proxy beside it. */
function globalLoadBalancer(
  proxy: object = { certificate_map: map },
  labels?: object,
): Readonly<Record<string, Blocks>> {
  return {
    google_certificate_manager_certificate_map: { main: { name: "map" } },
    google_compute_health_check: { main: { name: "alive", http_health_check: { port: 8080 } } },
    google_compute_backend_service: {
      main: {
        name: "web",
        protocol: "HTTPS",
        load_balancing_scheme: "EXTERNAL_MANAGED",
        health_checks: ["${google_compute_health_check.main.id}"],
      },
      raw: { name: "raw", protocol: "SSL", health_checks: ["${google_compute_health_check.main.self_link}"] },
    },
    google_compute_url_map: {
      main: {
        name: "urls",
        default_service: "${google_compute_backend_service.main.id}",
        host_rule: [{ hosts: ["example.com"], path_matcher: "all" }],
        path_matcher: [
          {
            name: "all",
            default_service: "${google_compute_backend_service.main.id}",
            path_rule: [{ paths: ["/api/*"], service: "${google_compute_backend_service.main.self_link}" }],
          },
        ],
      },
    },
    google_compute_target_https_proxy: {
      main: { name: "front", url_map: "${google_compute_url_map.main.id}", ...proxy },
    },
    google_compute_target_ssl_proxy: {
      main: { name: "raw", backend_service: "${google_compute_backend_service.raw.id}", certificate_map: map },
    },
    google_compute_target_http_proxy: { main: { name: "plain", url_map: "${google_compute_url_map.main.self_link}" } },
    google_compute_global_address: { v4: { name: "v4", labels }, v6: { name: "v6", ip_version: "IPV6" } },
    google_compute_global_forwarding_rule: {
      v4: {
        name: "v4",
        labels,
        target: "${google_compute_target_https_proxy.main.id}",
        port_range: "443",
        ip_address: "${google_compute_global_address.v4.id}",
        load_balancing_scheme: "EXTERNAL_MANAGED",
      },
      v6: {
        name: "v6",
        target: "${google_compute_target_https_proxy.main.self_link}",
        port_range: "443-443",
        ip_address: "${google_compute_global_address.v6.address}",
        load_balancing_scheme: "EXTERNAL_MANAGED",
      },
    },
  };
}

function changesOf(project: string): readonly string[] {
  return standIn.cloud.log
    .list()
    .filter(({ target, mutation }) => mutation && target.includes(`/projects/${project}/`))
    .map(({ httpMethod, target }) => `${httpMethod} ${target.replace(/^.*\/projects\/[^/]+\//, "")}`);
}

test("applies a global load balancer, reads it with data sources, changes it in place and destroys it", async () => {
  const project = "global-lb";
  await using terraform = await openTerraform(standIn.provider);
  const data = {
    google_compute_global_address: { v4: { name: "v4", depends_on: ["google_compute_global_address.v4"] } },
  };
  const output = { address: { value: "${data.google_compute_global_address.v4.address}" } };
  await terraform.apply(stackOf(project, globalLoadBalancer(), { data, output }));

  expect(await terraform.plan()).toBe(0);
  // What others made of it, such as the proxies of a map, is taken over once; after that nothing differs, 64-bit
  // numbers included.
  await terraform.succeed("apply", "-refresh-only", "-auto-approve", "-no-color");
  expect(await terraform.succeed("plan", "-refresh-only", "-no-color")).toContain("No changes.");
  const rule = await standIn.cloud.call("GET", `compute/v1/projects/${project}/global/forwardingRules/v4`);
  expect(JSON.parse(await terraform.succeed("output", "-json", "address"))).toBe(rule.body.IPAddress);
  expect(await terraform.show("google_compute_target_https_proxy.main")).toMatchObject({
    certificate_map: `//certificatemanager.googleapis.com/projects/${project}/locations/global/certificateMaps/map`,
    quic_override: "NONE",
    url_map: `projects/${project}/global/urlMaps/urls`,
  });

  await standIn.cloud.call("POST", `compute/v1/projects/${project}/global/sslPolicies`, { name: "p" });
  const made = changesOf(project).length;
  const proxy = {
    certificate_map: map,
    quic_override: "DISABLE",
    ssl_policy: `projects/${project}/global/sslPolicies/p`,
  };
  await terraform.apply(stackOf(project, globalLoadBalancer(proxy, { team: "web" }), { data, output }));
  expect([...changesOf(project).slice(made)].sort()).toEqual([
    "POST global/addresses/v4/setLabels",
    "POST global/forwardingRules/v4/setLabels",
    "POST global/targetHttpsProxies/front/setQuicOverride",
    "POST global/targetHttpsProxies/front/setSslPolicy",
  ]);
  const address = await standIn.cloud.call("GET", `compute/v1/projects/${project}/global/addresses/v4`);
  expect(await terraform.show("google_compute_global_address.v4")).toMatchObject({
    label_fingerprint: address.body.labelFingerprint,
  });
  expect(await terraform.plan()).toBe(0);

  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  const left = standIn.cloud.compute.frontends().filter(({ proxy }) => proxy.link.includes(project));
  expect(left).toEqual([]);
});

test("presents certificates directly at a regional load balancer, and exchanges them in place", async () => {
  const project = "regional-lb";
  const managed = (name: string, domain: string) => ({
    name,
    location: "europe-west1",
    managed: { domains: [domain], dns_authorizations: ["${google_certificate_manager_dns_authorization.main.id}"] },
  });
  const regional = (certificate: string) => ({
    google_certificate_manager_dns_authorization: {
      main: { name: "a1", location: "europe-west1", domain: "example.com" },
    },
    google_certificate_manager_certificate: {
      one: managed("one", "example.com"),
      two: managed("two", "*.example.com"),
    },
    google_compute_region_health_check: { main: { name: "alive", tcp_health_check: { port: 443 } } },
    google_compute_region_backend_service: {
      main: {
        name: "web",
        protocol: "HTTP",
        load_balancing_scheme: "INTERNAL_MANAGED",
        health_checks: ["${google_compute_region_health_check.main.id}"],
      },
    },
    google_compute_region_url_map: {
      main: { name: "urls", default_service: "${google_compute_region_backend_service.main.id}" },
    },
    google_compute_region_target_https_proxy: {
      main: {
        name: "front",
        url_map: "${google_compute_region_url_map.main.id}",
        certificate_manager_certificates: [
          `//certificatemanager.googleapis.com/\${google_certificate_manager_certificate.${certificate}.id}`,
        ],
      },
    },
    google_compute_address: { main: { name: "v4", address_type: "INTERNAL" } },
    google_compute_forwarding_rule: {
      main: {
        name: "front",
        target: "${google_compute_region_target_https_proxy.main.id}",
        port_range: "443",
        ip_address: "${google_compute_address.main.address}",
        load_balancing_scheme: "INTERNAL_MANAGED",
        network: "default",
      },
    },
  });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, regional("one")));
  expect(await terraform.plan()).toBe(0);

  const made = changesOf(project).length;
  await terraform.apply(stackOf(project, regional("two")));
  expect(changesOf(project).slice(made)).toEqual([
    "POST regions/europe-west1/targetHttpsProxies/front/setSslCertificates",
  ]);
  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
});

test("adopts an existing proxy: imports it and attaches a map, without replacing it", async () => {
  const project = "adopted-lb";
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
  const direct = ["${google_compute_ssl_certificate.main.id}"];
  await using before = await openTerraform(standIn.provider);
  const existing = {
    ...globalLoadBalancer({ ssl_certificates: direct, description: "by hand" }),
    google_compute_ssl_certificate: {
      main: { name: "direct", certificate: certificatePem, private_key: privateKeyPem },
    },
  };
  await before.apply(stackOf(project, existing));
  expect(await before.plan()).toBe(0);

  const made = changesOf(project).length;
  await using terraform = await openTerraform(standIn.provider);
  const adopting = {
    google_compute_target_https_proxy: {
      main: {
        name: "front",
        description: "by hand",
        url_map: `projects/${project}/global/urlMaps/urls`,
        ssl_certificates: [`projects/${project}/global/sslCertificates/direct`],
        certificate_map: `//certificatemanager.googleapis.com/projects/${project}/locations/global/certificateMaps/map`,
        lifecycle: { prevent_destroy: true },
      },
    },
  };
  const to = "google_compute_target_https_proxy.main";
  const id = `projects/${project}/global/targetHttpsProxies/front`;
  const applied = await terraform.apply(stackOf(project, adopting, { import: [{ to, id }] }));

  expect(applied).toContain("1 imported, 0 added, 1 changed, 0 destroyed");
  expect(changesOf(project).slice(made)).toEqual(["POST global/targetHttpsProxies/front/setCertificateMap"]);
  expect(await terraform.plan()).toBe(0);
});

test("exchanges certificates that are named by a prefix without an interruption", async () => {
  const project = "prefix-lb";
  const named = (key: 0 | 1) => {
    const { certificatePem, privateKeyPem } = makeCertificate(["example.com"], { key });
    return {
      google_compute_ssl_certificate: {
        main: {
          name_prefix: "shop-",
          certificate: certificatePem,
          private_key: privateKeyPem,
          lifecycle: { create_before_destroy: true },
        },
      },
    };
  };
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, named(0)));
  expect(await terraform.plan()).toBe(0);
  const first = await terraform.show("google_compute_ssl_certificate.main");
  expect(first?.name).toMatch(/^shop-[a-z0-9]{26}$/);

  await terraform.apply(stackOf(project, named(1)));
  const second = await terraform.show("google_compute_ssl_certificate.main");
  expect(second?.name).not.toBe(first?.name);
  expect(changesOf(project)).toEqual([
    "POST global/sslCertificates",
    "POST global/sslCertificates",
    `DELETE global/sslCertificates/${String(first?.name)}`,
  ]);
});

test("updates the resources behind a proxy as a whole, with their fingerprint", async () => {
  const project = "behind-lb";
  const behind = (path: string, interval: number, draining: number) => ({
    google_compute_health_check: {
      main: { name: "alive", check_interval_sec: interval, https_health_check: { port: 443, request_path: path } },
    },
    google_compute_backend_service: {
      main: {
        name: "web",
        load_balancing_scheme: "EXTERNAL_MANAGED",
        connection_draining_timeout_sec: draining,
        custom_response_headers: [`x-path: ${path}`],
        health_checks: ["${google_compute_health_check.main.id}"],
      },
    },
    google_compute_url_map: {
      main: {
        name: "urls",
        default_url_redirect: { https_redirect: true, strip_query: false },
        host_rule: [{ hosts: ["example.com"], path_matcher: "all" }],
        path_matcher: [
          {
            name: "all",
            default_service: "${google_compute_backend_service.main.id}",
            path_rule: [{ paths: [path], service: "${google_compute_backend_service.main.id}" }],
          },
        ],
      },
    },
  });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, behind("/a", 5, 300)));
  expect(await terraform.plan()).toBe(0);

  const made = changesOf(project).length;
  await terraform.apply(stackOf(project, behind("/b", 10, 30)));
  expect([...changesOf(project).slice(made)].sort()).toEqual([
    "PUT global/backendServices/web",
    "PUT global/healthChecks/alive",
    "PUT global/urlMaps/urls",
  ]);
  expect(await terraform.plan()).toBe(0);
  const web = await standIn.cloud.call("GET", `compute/v1/projects/${project}/global/backendServices/web`);
  expect(web.body).toMatchObject({
    connectionDraining: { drainingTimeoutSec: 30 },
    customResponseHeaders: ["x-path: /b"],
  });
});

test("replaces the proxy for a change without an API method", async () => {
  const project = "replaced-lb";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, globalLoadBalancer()));
  await terraform.write(stackOf(project, globalLoadBalancer({ certificate_map: map, description: "new" })));
  const plan = await terraform.run("plan", "-no-color");

  expect(plan.stdout).toContain("google_compute_target_https_proxy.main must be replaced");
  expect(plan.stdout).toMatch(/\+ description .*= "new" # forces replacement/);
});
