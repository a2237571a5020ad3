import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { runCli } from "../support/io";
import { sectionOf } from "../support/pages";
import { openTerraform } from "../support/terraform";

jest.setTimeout(120_000);

const examples = join(__dirname, "../../examples");
let provider: TerraformProvider;
beforeAll(async () => {
  const alsoKept = ["google_compute_region_network_endpoint_group"];
  provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", isSurvey: true, alsoKept });
});
afterAll(() => provider.close());

const entryType = "google_certificate_manager_certificate_map_entry";
const all = ["gke-gateway", "gke-ingress", "cloud-run", "lb-http"];

test.each(all)("generates the module of %s from its migration", async (name) => {
  const words = ["--spec", join(examples, name, "migration.yaml"), "--out", join(examples, name, "certificates")];
  expect(await runCli(["synth", ...words, "--check"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test.each([
  ["gke-gateway", "gke.md", "GKE Gateway"],
  ["gke-ingress", "gke.md", "GKE Ingress"],
  ["cloud-run", "terraform.md", "Cloud Run behind a load balancer"],
  ["lb-http", "terraform.md", "Load balancers of Terraform modules"],
])("quotes the files of %s verbatim in its section", (_, page, section) => {
  const quoted = [...sectionOf(page, section).matchAll(/^```(?:yaml|hcl) (\S+)\n([\s\S]*?)^```$/gm)];
  expect(quoted.length).toBeGreaterThan(0);
  for (const [, file = "", block = ""] of quoted) {
    expect(readFileSync(join(examples, "..", file), "utf8")).toContain(block);
  }
});

/** In place of the module of the registry: the same input, in a proxy as that module makes it. */
const lbHttp = `
variable "name" {}
variable "project" {}
variable "ssl" {}
variable "certificate_map" {}
variable "backends" {}
resource "google_compute_target_https_proxy" "default" {
  count           = var.ssl ? 1 : 0
  project         = var.project
  name            = "\${var.name}-https-proxy"
  url_map         = "web"
  certificate_map = var.certificate_map != null ? "//certificatemanager.googleapis.com/\${var.certificate_map}" : null
}
`;

test.each([
  ["gke-gateway", undefined],
  ["gke-ingress", undefined],
  ["cloud-run", "google_compute_target_https_proxy.shop"],
  ["lb-http", "module.lb.google_compute_target_https_proxy.default[0]"],
])("%s is valid for Terraform and check-plan, and its proxy depends on all entries", async (name, proxy) => {
  await using terraform = await openTerraform(provider);
  cpSync(join(examples, name), terraform.path, { recursive: true });
  if (name === "lb-http") {
    const dir = ".terraform/modules/lb";
    mkdirSync(join(terraform.path, dir), { recursive: true });
    writeFileSync(join(terraform.path, dir, "main.tf"), lbHttp);
    const source = "registry.terraform.io/terraform-google-modules/lb-http/google";
    const modules = [
      { Key: "", Source: "", Dir: "." },
      { Key: "lb", Source: source, Version: "12.0.0", Dir: dir },
    ];
    writeFileSync(join(terraform.path, ".terraform/modules/modules.json"), JSON.stringify({ Modules: modules }));
  }
  await terraform.succeed("init", "-input=false", "-no-color");
  await terraform.succeed("validate", "-no-color");
  await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color");
  const plan = readTerraformPlan(await terraform.succeed("show", "-json", "tfplan"), "plan");
  expect(checkPlan(plan).dangers).toEqual([]);
  const entries = plan.changes.filter(({ type }) => type === entryType);
  expect(entries).toHaveLength(3);
  if (proxy === undefined) return;
  const before = plan.configuration.dependencies(proxy).targets.map(({ bare }) => bare);
  expect(before).toEqual(expect.arrayContaining(entries.map(({ address }) => address)));
});

test.each(["gke-gateway", "gke-ingress"])(
  "the Gateway of %s names the map, and has no certificates of its own",
  (name) => {
    const text = readFileSync(join(examples, name, "gateway.yaml"), "utf8");
    const [gateway] = parseAllDocuments(text).map((document) => document.toJS());
    const module = JSON.parse(readFileSync(join(examples, name, "certificates", "main.tf.json"), "utf8"));
    const [map] = Object.values(module.resource.google_certificate_manager_certificate_map) as {
      readonly name: string;
    }[];
    expect(gateway.metadata.annotations).toEqual({ "networking.gke.io/certmap": map?.name });
    expect(gateway.spec.listeners).toEqual([{ name: "https", protocol: "HTTPS", port: 443 }]);
  },
);
