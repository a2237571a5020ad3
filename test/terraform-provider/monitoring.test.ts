import type { ManagedCertMigrationProps } from "../../lib";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { migrate } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: TestCloud;
let provider: TerraformProvider;

beforeEach(async () => {
  cloud = await startTestCloud({ behavior: { operationMs: 0 } });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterEach(async () => {
  await provider.close();
  await cloud.stop();
});

const monitoring = /^google_monitoring_/;

/** The alerts of a stack; references to other resources do not occur in them. */
function alerting(change: Partial<ManagedCertMigrationProps> = {}): object {
  const stack = newStack();
  migrate(stack, { gate: "none", ...change });
  const { resource = {}, import: _, output: __, ...rest } = synthesize(stack);
  return { ...rest, resource: Object.fromEntries(Object.entries(resource).filter(([type]) => monitoring.test(type))) };
}

const alerts = { notificationChannels: ["projects/my-project/notificationChannels/1"] };

async function namesIn(collection: "alertPolicies" | "uptimeCheckConfigs"): Promise<readonly string[]> {
  const { [collection]: found } = await cloud.make("GET", `/v3/projects/my-project/${collection}`);
  return (found as readonly { readonly displayName: string }[]).map(({ displayName }) => displayName).sort();
}

test("creates alerts, plans no change afterwards, and changes them in place", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(alerting({ alerts }));
  expect(await namesIn("uptimeCheckConfigs")).toEqual(["Certificate of example.com"]);
  expect(await namesIn("alertPolicies")).toHaveLength(3);
  expect(await terraform.plan()).toBe(0);

  const log = await terraform.apply(
    alerting({ alerts: { daysBeforeExpiry: 20, checkIntervalSeconds: 300, notificationChannels: [] } }),
  );
  expect(log).toContain("0 added, 5 changed, 0 destroyed");
  expect(await terraform.plan()).toBe(0);
});

test("replaces an uptime check for another hostname, although Monitoring refuses to delete one that is in use", async () => {
  await using terraform = await openTerraform(provider);
  const probing = (name: string) =>
    alerting({ alerts: { ...alerts, uptimeChecks: "all", wildcardProbes: { "*.example.com": name } } });
  await terraform.apply(probing("a.example.com"));
  await terraform.apply(probing("b.example.com"));
  expect(await namesIn("uptimeCheckConfigs")).toEqual(["Certificate of b.example.com", "Certificate of example.com"]);
  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect(await namesIn("alertPolicies")).toEqual([]);
});

test("shows a change that was made in the console, and creates a deleted policy again", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(alerting({ alerts }));
  const { alertPolicies } = await cloud.make("GET", "/v3/projects/my-project/alertPolicies");
  const [first, second] = alertPolicies as readonly { readonly name: string }[];
  await cloud.make("PATCH", `/v3/${first?.name}?updateMask=enabled`, { enabled: false });
  await cloud.make("DELETE", `/v3/${second?.name}`);
  expect(await terraform.plan()).toBe(2);
  const log = await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(log).toContain("1 added, 1 changed, 0 destroyed");
  expect(await terraform.plan()).toBe(0);
});

test("imports an uptime check by its name", async () => {
  await using terraform = await openTerraform(provider);
  const stack = alerting({ alerts }) as { readonly resource: Readonly<Record<string, object>> };
  const type = "google_monitoring_uptime_check_config";
  const [id = ""] = Object.keys(stack.resource[type] ?? {});
  await terraform.apply(stack);
  const state = await terraform.show(`${type}.${id}`);
  await terraform.succeed("state", "rm", `${type}.${id}`);
  await terraform.succeed("import", "-no-color", `${type}.${id}`, String(state?.name));
  expect(await terraform.plan()).toBe(0);
});
