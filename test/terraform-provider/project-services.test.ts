import { startTerraformProvider } from "../../lib/terraform-provider";
import { behaviorOf } from "../../lib/terraform-provider/provider-version";
import { startTestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const service = "pubsub.googleapis.com";
const stackOf = (version: string, more: object = {}) => ({
  terraform: { required_providers: { google: { source: "hashicorp/google", version } } },
  provider: { google: { project: "p1" } },
  resource: { google_project_service: { main: { service, ...more } } },
});

test.each<[version: string, setting: object, after: string]>([
  ["6.50.0", {}, "DISABLED"],
  ["6.50.0", { disable_on_destroy: false }, "ENABLED"],
  ["7.0.0", {}, "ENABLED"],
  ["8.0.0", {}, "ENABLED"],
  ["8.0.0", { disable_on_destroy: true }, "DISABLED"],
])("with provider %s and %j, a destroyed service is %s", async (version, setting, after) => {
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 20 } });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http, behaviorOf: version });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.apply(stackOf(version, setting));
    expect(await terraform.plan()).toBe(0);
    const state = async () => (await cloud.make("GET", `/v1/projects/p1/services/${service}`)).state;
    expect(await state()).toBe("ENABLED");
    await terraform.succeed("destroy", "-auto-approve", "-no-color");
    expect(await state()).toBe(after);
  } finally {
    await provider.close();
  }
});

test.each([
  ["6.50.0", true],
  ["6.99.0", true],
  ["7.0.0", false],
])("the provider %s disables services by default: %s", (version, expected) => {
  expect(behaviorOf(version).disablesServiceByDefault).toBe(expected);
});
