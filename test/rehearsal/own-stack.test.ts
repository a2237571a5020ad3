import { createOwnStack, type OwnStackOptions, refuseUnrehearsed } from "../../lib/rehearsal/own-stack";
import type { StackJson } from "../../lib/rehearsal/stack";
import { openKnownTypes } from "../../lib/terraform-provider";

const options: OwnStackOptions = { gateCommand: "own", known: openKnownTypes(), env: {} };
const provider = { google: [{ project: "p1" }] };
const certificate = { name: "c", managed: { domains: ["example.com"] } };
const stackWith = (more: StackJson): StackJson => ({
  provider,
  ...more,
  resource: { google_certificate_manager_certificate: { c: certificate }, ...(more.resource as object | undefined) },
});
const rehearsed = (more: StackJson) => createOwnStack(stackWith(more), options);

test("leaves a stack unchanged if the rehearsal cloud supports all of it", () => {
  const { stack, unrehearsed, alsoKept } = rehearsed({ terraform: { required_version: ">= 1.5" } });
  expect({ unrehearsed, alsoKept }).toEqual({ unrehearsed: [], alsoKept: [] });
  expect(stack).toMatchObject({
    provider,
    terraform: { required_version: ">= 1.5" },
    resource: { google_certificate_manager_certificate: { c: certificate } },
  });
});

test.each<[string, StackJson, string, string]>([
  [
    "a resource of another provider",
    { resource: { random_id: { s: {} } } },
    "random_id.s",
    "a resource of the provider 'random'",
  ],
  [
    "a Google type under another provider",
    { resource: { google_dns_record_set: { r: { provider: "mirror.other", name: "a.example.com." } } } },
    "google_dns_record_set.r",
    "a resource of the provider 'mirror'",
  ],
  [
    "a type of google-beta only",
    { resource: { google_no_such_beta: { x: { provider: "google-beta" } } } },
    "google_no_such_beta.x",
    "a resource of the provider 'google-beta'",
  ],
  [
    "a data source with a name known only to Terraform",
    { data: { google_compute_global_address: { ip: { name: "${each.key}", for_each: ["a"] } } } },
    "data.google_compute_global_address.ip",
    "a data source that looks up what only Terraform would know the name of",
  ],
  [
    "a type that no release has",
    { resource: { google_no_such: { x: {} } } },
    "google_no_such.x",
    "a resource of the provider 'google'",
  ],
  [
    "another stack's state",
    { data: { terraform_remote_state: { net: {} } } },
    "data.terraform_remote_state.net",
    "the state of another stack",
  ],
  [
    "a data source of another provider",
    { data: { aws_region: { r: {} } } },
    "data.aws_region.r",
    "a data source of the provider 'aws'",
  ],
  [
    "a data source of a missing resource",
    { data: { google_compute_image: { i: {} } } },
    "data.google_compute_image.i",
    "a data source that reads what the rehearsal cloud does not have",
  ],
  ["a module", { module: { web: { source: "./web" } } }, "module.web", "a module"],
])("leaves out %s, and names it", (_, more, address, what) => {
  const { stack, unrehearsed } = rehearsed(more);
  expect(unrehearsed).toEqual([{ address, what: expect.stringContaining(`${what}: left out`) }]);
  expect(Object.keys(stack.resource as object)).toEqual(["google_certificate_manager_certificate"]);
  expect(stack).not.toHaveProperty("data");
  expect(stack).not.toHaveProperty("module");
});

test("keeps and names a type of the provider that the cloud does not have", () => {
  const { stack, unrehearsed, alsoKept } = rehearsed({ resource: { google_pubsub_topic: { t: { name: "t" } } } });
  expect(alsoKept).toEqual(["google_pubsub_topic"]);
  expect(unrehearsed).toEqual([
    { address: "google_pubsub_topic.t", what: expect.stringContaining("kept in the state alone") },
  ]);
  expect(stack.resource).toHaveProperty("google_pubsub_topic.t");
});

test("removes other providers and their requirements", () => {
  const { stack, unrehearsed } = rehearsed({
    provider: { ...provider, aws: [{ region: "r" }] },
    resource: { aws_sqs_queue: { q: {} } },
    terraform: { required_providers: { google: { source: "google" }, aws: { source: "aws" } } },
  });
  expect(unrehearsed.map(({ address }) => address)).toEqual(["aws_sqs_queue.q", "provider.aws"]);
  expect(stack.provider).toEqual(provider);
  expect(stack.terraform).toEqual({ required_providers: { google: { source: "google" } } });
});

test("removes a provider without resources, such as that of a replaced publisher of records, without a report", () => {
  const { stack, unrehearsed } = rehearsed({ provider: { ...provider, aws: [{ region: "r" }] } });
  expect([stack.provider, unrehearsed]).toEqual([provider, []]);
});

test("removes credentials and external addresses from the provider block", () => {
  const google = [
    { project: "p1", credentials: '${file("key.json")}', access_token: "x", dns_custom_endpoint: "https://dns/" },
    { alias: "other", impersonate_service_account: "a@b", region: "r1" },
  ];
  expect(rehearsed({ provider: { google } }).stack.provider).toEqual({
    google: [{ project: "p1" }, { alias: "other", region: "r1", project: "rehearsal-project" }],
  });
});

const gate = (command: string) => ({ triggers_replace: ["x"], provisioner: [{ "local-exec": { command } }] });

const waiting = (kind: string, names: string) => ({
  command: "own wait --from-environment",
  environment: {
    CERT_MIGRATION_WAIT_FOR: kind,
    CERT_MIGRATION_WAIT_NAMES: names,
    CERT_MIGRATION_WAIT_TIMEOUT: "60m",
  },
});

test("runs a gate that reads its values from the environment with the command of the rehearsal", () => {
  const { environment } = waiting("certificates", "${c.id}");
  const run = { command: "cd .. && npx cm wait --from-environment", environment };
  const { stack, unrehearsed } = rehearsed({
    resource: { terraform_data: { g: { provisioner: [{ "local-exec": run }] } } },
  });
  expect(unrehearsed).toEqual([]);
  expect(stack.resource).toHaveProperty("terraform_data.g.provisioner", [
    { "local-exec": waiting("certificates", "${c.id}") },
  ]);
});

test.each([
  ["npx --no-install cert-migration wait --certificate ${c.id} --timeout 60m", waiting("certificates", "${c.id}")],
  ["npx cm wait --for entries --entry ${a.id} --entry ${b.id}", waiting("entries", "${a.id},${b.id}")],
  [
    "npx cm wait --entry e --timeout 60m --migration 'a b'",
    { command: "own wait --entry e --timeout 60m --migration 'a b'" },
  ],
  [
    'npx cm wait --certificate ${upper("a;b|${c.id}")} --timeout 60m',
    waiting("certificates", '${upper("a;b|${c.id}")}'),
  ],
  [
    'node bin/cm.js verify --stack . --migration "a b" --address 203.0.113.7 --address ${b.address}',
    {
      command: "own verify --from-environment",
      environment: {
        CERT_MIGRATION_VERIFY_STACK: ".",
        CERT_MIGRATION_VERIFY_MIGRATION: "a b",
        CERT_MIGRATION_VERIFY_ADDRESSES: "203.0.113.7,${b.address}",
      },
    },
  ],
])("runs a gate with the command of the rehearsal: %s", (command, expected) => {
  const { stack, unrehearsed } = rehearsed({ resource: { terraform_data: { g: gate(command) } } });
  expect(unrehearsed).toEqual([]);
  expect(stack.resource).toHaveProperty("terraform_data.g.provisioner", [{ "local-exec": expected }]);
});

test.each([
  "gcloud deploy",
  "npx cert-migration wait --certificate ${c.id} && ./deploy.sh",
  "npx cert-migration wait --certificate c; curl https://example.com/",
  "npx cert-migration verify --stack . --address $(cat address)",
  "npx cert-migration wait --certificate c\n./deploy.sh",
  "npx cert-migration wait --stack . --migration ${var.name}",
  'npx cert-migration wait --migration %{ if true }"c"%{ endif } --stack .',
  "npx cert-migration wait --from-environment",
])("names a custom command, and does not run it: %j", (command) => {
  const { stack, unrehearsed } = rehearsed({ resource: { terraform_data: { g: gate(command) } } });
  expect(unrehearsed).toEqual([
    { address: "terraform_data.g", what: "a resource with commands of its own: they are not run" },
  ]);
  expect(stack.resource).toHaveProperty("terraform_data.g", { triggers_replace: ["x"] });
});

test("uses the stand-in for google-beta too, without resource types that only google-beta has", () => {
  const beta = [
    { project: "p1", universe_of_the_beta: "x" },
    { alias: "eu", project: "p1", region: "europe-west4" },
  ];
  const { stack, unrehearsed } = rehearsed({
    provider: { ...provider, "google-beta": beta },
    terraform: { required_providers: { google: {}, "google-beta": { source: "google-beta" } } },
    resource: {
      google_compute_url_map: { web: { name: "web", provider: "google-beta.eu", only_beta: [{ a: 1 }] } },
    },
  });
  expect(unrehearsed).toEqual([
    {
      address: "google_compute_url_map.web.only_beta",
      what: "an argument that the stand-in does not know: left out",
    },
  ]);
  expect(stack.provider).toEqual({ ...provider, "google-beta": [{ project: "p1" }, beta[1]] });
  expect(stack.terraform).toEqual({ required_providers: { google: {}, "google-beta": { source: "google-beta" } } });
  expect(stack.resource).toHaveProperty("google_compute_url_map.web", { name: "web", provider: "google-beta.eu" });
});

test("removes and names what a placeholder name makes invalid, and keeps the rest", () => {
  const { stack, unrehearsed } = rehearsed({
    data: { aws_eip: { lb: {} } },
    resource: {
      google_compute_global_forwarding_rule: {
        web: { name: "web", ip_address: "${data.aws_eip.lb.public_ip}" },
      },
      google_compute_url_map: { web: { name: "${data.aws_eip.lb.id}" } },
    },
    output: { rule: { value: "${google_compute_global_forwarding_rule.web.id}" } },
  });
  expect(unrehearsed.map(({ address, what }) => `${address}: ${what}`)).toEqual([
    "data.aws_eip.lb: a data source of the provider 'aws': left out; 'left-out-data-aws-eip-lb' stands for what it would give",
    "google_compute_global_forwarding_rule.web: in need of 'data.aws_eip.lb' for its 'ip_address', where no made-up name can stand: left out",
  ]);
  expect(Object.keys(stack.resource as object)).toEqual([
    "google_certificate_manager_certificate",
    "google_compute_url_map",
  ]);
  expect(stack.output).toEqual({ rule: { value: "left-out-google-compute-global-forwarding-rule-web" } });
});

test("keeps data sources that the rehearsal prepares, and resolves names from variables", () => {
  const { stack, unrehearsed } = rehearsed({
    variable: { zone: { default: "example-com" } },
    data: {
      google_compute_global_address: { ip: { name: "web" } },
      google_dns_managed_zone: { z: { name: "${var.zone}" } },
    },
  });
  expect(unrehearsed).toEqual([]);
  expect(stack.data).toEqual({
    google_compute_global_address: { ip: { name: "web" } },
    google_dns_managed_zone: { z: { name: "example-com" } },
  });
});

test("creates the stack's zones and other imported resources before Terraform runs", () => {
  const { stack } = rehearsed({
    import: [
      { to: "google_dns_record_set.www", id: "zone/www.example.com./A" },
      { to: "google_compute_url_map.web", id: "web" },
    ],
    resource: {
      google_dns_managed_zone: {
        z: { name: "zone", dns_name: "example.com.", project: "dns" },
        corp: { name: "corp", dns_name: "corp.internal.", visibility: "private" },
        hidden: { name: "hidden", dns_name: "example.org.", visibility: "private" },
      },
    },
  });
  expect(stack.import).toEqual([
    { to: "google_dns_record_set.www", id: "zone/www.example.com./A" },
    { to: "google_dns_managed_zone.z", id: "dns/zone" },
    { to: "google_dns_managed_zone.corp", id: "corp" },
  ]);
});

test("imports nothing if the cloud has none of the imported resources", () => {
  const imports = [
    { to: "google_compute_url_map.web", id: "web" },
    { to: "random_id.suffix", id: "x" },
  ];
  const resource = { random_id: { suffix: {} }, google_compute_url_map: { web: { name: "web" } } };
  expect(rehearsed({ import: imports, resource }).stack).not.toHaveProperty("import");
});

test("fails for variables without a value, and lists all of them", () => {
  const variable = { a: { type: "string" }, b: { default: "x" }, key: { sensitive: true }, set: {} };
  const attempt = () => createOwnStack(stackWith({ variable }), { ...options, env: { TF_VAR_set: "1" } });
  expect(attempt).toThrow("variable 'a' of the stack has no value; set TF_VAR_a");
  expect(attempt).toThrow("variable 'key' of the stack has no value; set TF_VAR_key");
});

test("fails with everything that can't be rehearsed, unless that is allowed", () => {
  const { unrehearsed } = rehearsed({ resource: { random_id: { s: {} } }, module: { web: {} } });
  expect(() => refuseUnrehearsed(unrehearsed)).toThrow("'random_id.s' is a resource of the provider 'random'");
  expect(() => refuseUnrehearsed(unrehearsed)).toThrow("2 parts of the stack can't be rehearsed; give --skip-unknown");
  expect(() => refuseUnrehearsed(unrehearsed.slice(1))).toThrow(
    "1 part of the stack can't be rehearsed; give --skip-unknown to go on without it",
  );
  expect(() => refuseUnrehearsed([])).not.toThrow();
});

test.each<[type: string, isMade: boolean]>([
  ["google_compute_ssl_policy", true],
  ["google_compute_http_health_check", true],
  ["google_compute_managed_ssl_certificate", true],
  ["google_logging_project_bucket_config", true],
  ["google_project_service", true],
  ["google_monitoring_alert_policy", true],
  ["google_monitoring_notification_channel", false],
  ["google_pubsub_topic", false],
])("creates %s in the cloud with the real provider: %s; leaves out and names all other types", (type, isMade) => {
  const { stack, unrehearsed, alsoKept } = createOwnStack(stackWith({ resource: { [type]: { x: { name: "x" } } } }), {
    ...options,
    isReal: true,
  });
  expect(Object.hasOwn(stack.resource as object, type)).toBe(isMade);
  const reported = unrehearsed.filter(({ address }) => address === `${type}.x`);
  expect(reported.length).toBe(isMade ? 0 : 1);
  expect(alsoKept).toEqual([]);
});
