import { StorageBucket } from "@cdktf/provider-google/lib/storage-bucket";
import {
  Certificate,
  CertificateIssuer,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  PrivateKey,
} from "../../lib";
import { importAllContextKey } from "../../lib/kits";
import { makeCertificate } from "../support/make-certificate";
import { newApp, newStack, type SynthesizedStack, synthesize } from "../support/synth";

const uploaded = makeCertificate(["api.example.com"]);

function synthesizeWith(props: Partial<ManagedCertMigrationProps>, isLost = true): SynthesizedStack {
  const stack = newStack(newApp(isLost ? { [importAllContextKey]: true } : {}));
  new StorageBucket(stack, "bucket", { name: "of-somebody-else", location: "EU" });
  new ManagedCertMigration(stack, "shop", {
    certificates: [Certificate.managed({ domains: ["example.com"] })],
    dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
    ...props,
  });
  return synthesize(stack);
}

/** Ids by type of resource, with stars in place of digests. */
function idsOf({ import: blocks = [] }: SynthesizedStack): readonly (readonly [type: string, id: string])[] {
  return blocks
    .map(({ to, id }) => [to.split(".")[0] ?? "", id.replace(/[0-9a-f]{12}/g, "*")] as const)
    .sort(([a, id], [b, otherId]) => (`${a} ${id}` < `${b} ${otherId}` ? -1 : 1));
}

test("imports nothing without the context", () => {
  expect(synthesizeWith({}, false).import).toBeUndefined();
});

test("imports every resource of a migration, in the project of the provider, and no other resource of the stack", () => {
  expect(idsOf(synthesizeWith({}))).toEqual([
    ["google_certificate_manager_certificate", "global/example-com-*"],
    ["google_certificate_manager_certificate_map", "prod-shop-*"],
    ["google_certificate_manager_certificate_map_entry", "prod-shop-*/example-com-*"],
    ["google_certificate_manager_dns_authorization", "global/example-com-*"],
    ["google_dns_record_set", "example-com/_acme-challenge.example.com./CNAME"],
  ]);
});

test("imports proxies, forwarding rules and what validates clients, and keeps the imports of live records", () => {
  const written = synthesizeWith({
    project: "shop-1",
    enableApis: true,
    loadBalancer: LoadBalancer.globalExternal({
      newTargetHttpsProxy: {
        urlMap: "web",
        forwardingRules: { ipv4Address: "203.0.113.7" },
        clientAuthentication: { mode: "REJECT_INVALID", trustAnchors: [uploaded.certificatePem] },
      },
      newTargetSslProxy: { backendService: "tcp" },
    }),
    traffic: { to: "previous", previous: { "example.com": { a: ["198.51.100.1"] } } },
  });
  expect(idsOf(written)).toEqual([
    ["google_certificate_manager_certificate", "projects/shop-1/locations/global/certificates/example-com-*"],
    ["google_certificate_manager_certificate_map", "projects/shop-1/locations/global/certificateMaps/prod-shop-*"],
    [
      "google_certificate_manager_certificate_map_entry",
      "projects/shop-1/locations/global/certificateMaps/prod-shop-*/certificateMapEntries/example-com-*",
    ],
    [
      "google_certificate_manager_dns_authorization",
      "projects/shop-1/locations/global/dnsAuthorizations/example-com-*",
    ],
    ["google_certificate_manager_trust_config", "projects/shop-1/locations/global/trustConfigs/prod-shop-clients-*"],
    ["google_compute_global_forwarding_rule", "projects/shop-1/global/forwardingRules/prod-shop-https-ipv4-*"],
    ["google_compute_target_https_proxy", "projects/shop-1/global/targetHttpsProxies/prod-shop-https-*"],
    ["google_compute_target_ssl_proxy", "projects/shop-1/global/targetSslProxies/prod-shop-ssl-*"],
    ["google_dns_record_set", "projects/shop-1/managedZones/example-com/rrsets/_acme-challenge.example.com./CNAME"],
    ["google_dns_record_set", "shop-1/example-com/example.com./A"],
    [
      "google_network_security_server_tls_policy",
      "projects/shop-1/locations/global/serverTlsPolicies/prod-shop-clients-*",
    ],
    ["google_project_service", "shop-1/certificatemanager.googleapis.com"],
    ["google_project_service", "shop-1/compute.googleapis.com"],
    ["google_project_service", "shop-1/dns.googleapis.com"],
    ["google_project_service", "shop-1/networksecurity.googleapis.com"],
  ]);
});

test("imports regional resources and issuance configs with their locations", () => {
  const caPool = "projects/shop-1/locations/europe-west1/caPools/web";
  const written = synthesizeWith({
    certificates: [Certificate.privateCa({ domains: ["www.example.com"], issuer: CertificateIssuer.caPool(caPool) })],
    loadBalancer: LoadBalancer.regionalInternal({ region: "europe-west1", newTargetHttpsProxy: { urlMap: "web" } }),
  });
  expect(idsOf(written)).toEqual([
    ["google_certificate_manager_certificate", "europe-west1/www-example-com-*"],
    ["google_certificate_manager_certificate_issuance_config", "europe-west1/web-*"],
    ["google_compute_region_target_https_proxy", "europe-west1/prod-shop-https-*"],
  ]);
});

test("leaves out uploaded certificates with a warning, and records whose names only Google knows", () => {
  const stack = newStack(newApp({ [importAllContextKey]: true }));
  const migration = new ManagedCertMigration(stack, "shop", {
    certificates: [
      Certificate.managed({ domains: ["example.com"] }),
      Certificate.selfManaged({
        certificatePem: uploaded.certificatePem,
        privateKey: PrivateKey.variable("api_key"),
      }),
    ],
    dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
    authorizationType: "PER_PROJECT_RECORD",
  });
  expect(idsOf(synthesize(stack)).map(([type]) => type)).toEqual([
    "google_certificate_manager_certificate",
    "google_certificate_manager_certificate_map",
    "google_certificate_manager_certificate_map_entry",
    "google_certificate_manager_certificate_map_entry",
    "google_certificate_manager_dns_authorization",
  ]);
  const warnings = migration.node.metadata.filter(({ data }) => String(data).includes("[import-left-out]"));
  expect(warnings.map(({ data }) => data)).toEqual([
    "certificate 'api.example.com' is uploaded, and no service returns its key, so it is not imported: raise its 'generation', and delete the former certificate after the apply [import-left-out]",
  ]);
});

test("warns of alerts, whose ids the service chooses, once for each type of resource", () => {
  const warningsWith = (context: Readonly<Record<string, unknown>>) => {
    const stack = newStack(newApp(context));
    const { alerts } = new ManagedCertMigration(stack, "shop", {
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
      alerts: { notificationChannels: ["projects/my-project/notificationChannels/1"] },
    });
    return (alerts?.node.metadata ?? []).map(({ data }) => String(data).replace(/ can't .*?; | Find .* (?=\[)/g, ": "));
  };
  expect(warningsWith({})).toEqual([]);
  expect(warningsWith({ [importAllContextKey]: true })).toEqual([
    "3 alert policies: Cloud Monitoring chooses the ids.: [import-id-unknown]",
    "1 dashboard: Cloud Monitoring chooses the id.: [import-id-unknown]",
    "1 uptime check: Cloud Monitoring chooses the id.: [import-id-unknown]",
  ]);
});

test("warns of resources whose ids contain a value that only Terraform knows, and of no other resource", () => {
  const warningsWith = (project: string) => {
    const stack = newStack(newApp({ [importAllContextKey]: true }));
    new ManagedCertMigration(stack, "shop", {
      project,
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
    });
    const { import: blocks = [] } = synthesize(stack);
    const left = stack.node.metadata
      .map(({ data }) => String(data))
      .filter((data) => data.includes("import-id-unknown"));
    return { imported: blocks.length, left: left.map((text) => text.replace(/google_[\w.-]+/g, "*")) };
  };
  expect(warningsWith("shop-1")).toEqual({ imported: 4, left: [] });
  expect(warningsWith("${google_project.shop.project_id}")).toEqual({
    imported: 0,
    left: [
      "4 resources can't be imported automatically: *, *, * and 1 more; an id contains a value that only Terraform knows. Write an import block with the id for each resource; otherwise the apply fails, because the resource exists [import-id-unknown]",
    ],
  });
});

test("an id with a variable needs Terraform 1.6", () => {
  expect(synthesizeWith({ project: "${var.project}" }).terraform?.required_version).toBe(">= 1.6");
  expect(synthesizeWith({}).terraform?.required_version).toBe(">= 1.5");
});
