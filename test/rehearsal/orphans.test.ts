import { orphansOf } from "../../lib/rehearsal/orphans";

const stack = {
  provider: { google: [{ project: "p1" }] },
  resource: {
    google_certificate_manager_certificate: { c: { name: "c1", location: "europe-west1" } },
    google_certificate_manager_certificate_map: { m: { name: "m1" } },
    google_certificate_manager_certificate_map_entry: {
      e: { name: "e1", map: "${google_certificate_manager_certificate_map.m.name}" },
    },
    google_dns_record_set: { r: { managed_zone: "z", project: "dns", name: "${x.name}", type: "CNAME" } },
    google_compute_target_https_proxy: { p: { name: "p1" } },
    google_compute_backend_service: { b: { name: "b1" } },
  },
};

/** As Terraform writes it. */
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
])("%s that exists already is imported as %s", (address, id) => {
  expect(orphansOf(refusal(address, "Resource 'x' already exists"), stack)).toEqual([{ address, id }]);
});

test("a record set is imported by the name that the service tells", () => {
  const message =
    "The resource 'entity.change.additions[0]' named '_acme-challenge.example.com. (CNAME)' already exists";
  expect(orphansOf(refusal("google_dns_record_set.r", message), stack)).toEqual([
    { address: "google_dns_record_set.r", id: "dns/z/_acme-challenge.example.com./CNAME" },
  ]);
});

test("other errors, and types that a migration does not make, are left alone", () => {
  const output = [
    refusal("google_certificate_manager_certificate.c", "UNAVAILABLE"),
    refusal("google_compute_backend_service.b", "already exists"),
    refusal("google_certificate_manager_certificate.unknown", "already exists"),
  ].join("");
  expect(orphansOf(output, stack)).toEqual([]);
});
