import { createPlacer, type PlacedFile } from "../../lib/results";

const hcl: PlacedFile = {
  path: "infra/main.tf",
  name: "main.tf",
  text: `# shop
resource "google_compute_target_https_proxy" "web" {
  name = "web"
}
`,
};
const json: PlacedFile = {
  path: "infra/certificates/main.tf.json",
  name: "certificates/main.tf.json",
  text: JSON.stringify(
    {
      "//": "google_certificate_manager_certificate_map_entry",
      resource: {
        google_certificate_manager_certificate: { shop: { name: "entry" } },
        google_certificate_manager_certificate_map_entry: { other: { name: "x" }, shop: { name: "shop" } },
      },
    },
    undefined,
    2,
  ),
};
const spec: PlacedFile = {
  path: "infra/migration.yaml",
  name: "migration.yaml",
  text: "name: shop\ncertificates:\n  - domains:\n      - www.shop.example.com\n      - shop.example.com\n",
};

test.each<[string, { subject?: string; message?: string; hostnames?: readonly string[] }, object]>([
  [
    "at the block of a resource in HCL",
    { subject: "google_compute_target_https_proxy.web" },
    { path: hcl.path, line: 2 },
  ],
  [
    "at the block of a resource in JSON, in a module and with keys",
    { subject: 'module.a["x.y"].google_certificate_manager_certificate_map_entry.shop[0]' },
    { path: json.path, line: 13 },
  ],
  [
    "at the line of a hostname, which is not part of a longer name",
    { subject: "shop.example.com" },
    { path: spec.path, line: 5 },
  ],
  [
    "at the line of an affected hostname, if the subject is in no file",
    { subject: "the-zone", hostnames: ["www.shop.example.com"] },
    { path: spec.path, line: 4 },
  ],
  [
    "at the position with which the message begins",
    { message: "migration.yaml:3:5: x" },
    { path: spec.path, line: 3, column: 5 },
  ],
  ["at the file that is the subject", { subject: "main.tf" }, { path: hcl.path }],
  ["at the first file otherwise", { subject: "project-1" }, { path: hcl.path }],
])("places a finding %s", (_, { subject = "", message = "x", hostnames = [] }, place) => {
  const finding = { code: "c", severity: "error", remedy: "", subject, message, hostnames } as const;
  expect(createPlacer([hcl, json, spec], "none.yaml")(finding)).toEqual({ ...finding, place });
});

test("places a finding at the fallback without a file", () => {
  const finding = { code: "c", severity: "error", remedy: "", subject: "p", message: "" } as const;
  expect(createPlacer([], "migration.yaml")(finding).place).toEqual({ path: "migration.yaml" });
});
