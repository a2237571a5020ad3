import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let provider: TerraformProvider;

beforeAll(async () => {
  // The stand-in stores the resources of these tests without requests to a cloud.
  provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", alsoKept: ["google_pubsub_topic"] });
});

afterAll(() => provider.close());

function stackOf(resource: object, terraform: object = {}): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } }, ...terraform },
    provider: { google: { project: "p1" } },
    resource,
  };
}

const metric = { google_logging_metric: { main: { name: "failed", filter: "severity>=ERROR" } } };

test("stores a state over HTTP, and respects a lock that another client holds", async () => {
  const backend = { backend: { http: provider.stateBackend.backendOf("prod") } };
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf(metric, backend));
  expect(JSON.parse(provider.stateBackend.stateOf("prod") ?? "{}")).toMatchObject({
    version: 4,
    resources: [{ type: "google_logging_metric", instances: [{ attributes: { id: "failed", project: "p1" } }] }],
  });
  expect(await terraform.plan()).toBe(0);

  const address = `${provider.stateBackend.url}prod`;
  await fetch(address, { method: "LOCK", body: JSON.stringify({ ID: "somebody", Who: "somebody@elsewhere" }) });
  const locked = await terraform.run("plan", "-no-color");
  expect([locked.exitCode, locked.stderr]).toEqual([1, expect.stringContaining("already locked: ID=somebody")]);

  await terraform.succeed("force-unlock", "-force", "somebody");
  expect(await terraform.plan()).toBe(0);
});

test("plans, applies, changes, replaces and destroys types that the cloud does not have", async () => {
  const sink = { name: "audit", destination: "storage.googleapis.com/audit" };
  const kept = (filter: string, org: string) => ({
    google_logging_metric: { main: { name: "failed", filter } },
    google_logging_project_sink: { main: sink },
    google_logging_organization_sink: { main: { ...sink, org_id: org } },
    google_compute_network: { main: { name: "n1" } },
    google_storage_bucket: { main: { name: "audit", location: "EU" } },
    google_pubsub_topic: { main: { name: "t1" } },
    google_monitoring_notification_channel: {
      main: { display_name: "on call", type: "email", labels: { email_address: "ops@example.com" } },
    },
  });
  await using terraform = await openTerraform(provider);
  await terraform.apply(stackOf(kept("severity>=ERROR", "1")));
  expect(await terraform.plan()).toBe(0);
  expect(await terraform.show("google_monitoring_notification_channel.main")).toMatchObject({
    name: expect.stringMatching(/^projects\/p1\/notificationChannels\/\d+$/),
    enabled: true,
  });

  const changed = await terraform.apply(stackOf(kept("severity>=WARNING", "2")));
  expect(changed).toContain("1 added, 1 changed, 1 destroyed");
  expect(await terraform.plan()).toBe(0);
  expect(await terraform.succeed("destroy", "-auto-approve", "-no-color")).toContain("7 destroyed");
});

test("distinguishes the cloud's types from types that exist only in the state", () => {
  expect(provider.cloudTypes).toContain("google_certificate_manager_certificate");
  expect(provider.keptTypes).toEqual(expect.arrayContaining(["google_logging_metric", "google_pubsub_topic"]));
  expect(provider.cloudTypes.filter((type) => provider.keptTypes.includes(type))).toEqual([]);
});

test("has every type that the constructs create", () => {
  const folder = join(__dirname, "../../lib/constructs");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const imported = sources.flatMap((text) => [...text.matchAll(/provider-google\/lib\/([a-z0-9-]+)"/g)]);
  const types = new Set(imported.map(([, name = ""]) => `google_${name.replaceAll("-", "_")}`));
  const known = new Set([...provider.cloudTypes, ...provider.keptTypes]);

  expect(types.size).toBeGreaterThan(10);
  expect([...types].filter((type) => !known.has(type))).toEqual([]);
});

test("refuses a type that the bindings do not have", async () => {
  await expect(
    startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", alsoKept: ["google_no_such_thing"] }),
  ).rejects.toMatchObject({
    code: "resource-type-unknown",
    message: expect.stringMatching(
      /^google_no_such_thing is not in the bindings of the google provider \d+\.\d+\.\d+$/,
    ),
  });
});

test("reads the client's own settings as a data source", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply({
    ...stackOf(metric),
    data: { google_client_config: { main: {} } },
    output: { project: { value: "${data.google_client_config.main.project}" } },
  });

  expect(JSON.parse(await terraform.succeed("output", "-json", "project"))).toBe("p1");
});
