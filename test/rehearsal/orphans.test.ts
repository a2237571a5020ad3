import { orphansOf } from "../../lib/rehearsal/orphans";

const stack = {
  provider: { google: [{ project: "p1" }] },
  resource: {
    google_certificate_manager_certificate: {
      c: { name: "c1", location: "europe-west1" },
      uploaded: { name: "c2", self_managed: { pem_certificate: "…" } },
    },
    google_certificate_manager_certificate_map: { m: { name: "m1" } },
    google_certificate_manager_certificate_map_entry: {
      e: { name: "e1", map: "${google_certificate_manager_certificate_map.m.name}" },
    },
    google_dns_record_set: { r: { managed_zone: "z", project: "dns", name: "${x.name}", type: "CNAME" } },
    google_compute_target_https_proxy: { p: { name: "p1" } },
    google_compute_region_target_https_proxy: { r: { name: "r1", region: "europe-west3" } },
    google_compute_target_ssl_proxy: { s: { name: "s1" } },
    google_compute_forwarding_rule: { f: { name: "f1", region: "europe-west3" } },
    google_compute_backend_service: { b: { name: "b1" } },
  },
};

/** Returns an error in Terraform's format. */
function refusal(address: string, message: string): string {
  return `╷\n│ Error: creating ${address}: ${message}\n│ \n│   with ${address},\n│   on cdk.tf.json line 160, in resource:\n╵\n`;
}

test.each([
  ["google_certificate_manager_certificate.c", "projects/p1/locations/europe-west1/certificates/c1"],
  ["google_certificate_manager_certificate_map.m", "projects/p1/locations/global/certificateMaps/m1"],
  [
    "google_certificate_manager_certificate_map_entry.e",
    "projects/p1/locations/global/certificateMaps/m1/certificateMapEntries/e1",
  ],
  ["google_compute_target_https_proxy.p", "projects/p1/global/targetHttpsProxies/p1"],
  ["google_compute_region_target_https_proxy.r", "projects/p1/regions/europe-west3/targetHttpsProxies/r1"],
  ["google_compute_target_ssl_proxy.s", "projects/p1/global/targetSslProxies/s1"],
  ["google_compute_forwarding_rule.f", "projects/p1/regions/europe-west3/forwardingRules/f1"],
])("imports %s that already exists as %s", (address, id) => {
  expect(orphansOf(refusal(address, "Resource 'x' already exists"), stack)).toEqual([
    { address, id, isUploaded: false },
  ]);
});

test("imports a record set by the name in the service's error", () => {
  const message =
    "The resource 'entity.change.additions[0]' named '_acme-challenge.example.com. (CNAME)' already exists";
  expect(orphansOf(refusal("google_dns_record_set.r", message), stack)).toEqual([
    { address: "google_dns_record_set.r", id: "dns/z/_acme-challenge.example.com./CNAME", isUploaded: false },
  ]);
});

test.each([
  "google_compute_backend_service.b",
  'google_compute_global_address.of["each"]',
  "google_compute_address.n[0]",
])("imports %s by the id in the service's error, for any type", (address) => {
  const id = "projects/p1/global/addresses/shop-ip";
  const output = refusal(address, `The resource '${id}' already exists`);
  expect(orphansOf(output, stack)).toEqual([{ address, id, isUploaded: false }]);
});

test("reports an uploaded certificate, because no service returns its PEM", () => {
  const address = "google_certificate_manager_certificate.uploaded";
  const id = "projects/p1/locations/global/certificates/c2";
  expect(orphansOf(refusal(address, "already exists"), stack)).toEqual([{ address, id, isUploaded: true }]);
});

test("has no id for a type that a migration does not create, unless the service names it", () => {
  const address = "google_compute_backend_service.b";
  expect(orphansOf(refusal(address, "already exists"), stack)).toEqual([{ address, isUploaded: false }]);
});

test("ignores other errors", () => {
  expect(orphansOf(refusal("google_certificate_manager_certificate.c", "UNAVAILABLE"), stack)).toEqual([]);
});
