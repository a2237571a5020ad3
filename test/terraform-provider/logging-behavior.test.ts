import type { LoggedRequest } from "../../lib/cloud/front/request-log";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const dayMs = 24 * 3_600_000;
let cloud: TestCloud;
let provider: TerraformProvider;
const requests: LoggedRequest[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({
    behavior: { operationMs: 0 },
    observers: { onRequest: (request) => void requests.push(request) },
  });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterAll(async () => {
  await provider.close();
  await cloud.stop();
});

function stackOf(resource: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1" } },
    resource,
  };
}

const bucket = (bucket_id: string, more: object = {}) =>
  stackOf({
    google_logging_project_bucket_config: { main: { project: "p1", location: "global", bucket_id, ...more } },
  });

const path = (name: string) => `/v2/projects/p1/locations/global/buckets/${name}`;

/** Returns the changes of a bucket that the stand-in sent. */
function changesOf(name: string): readonly string[] {
  return requests
    .filter(({ mutation, caller, target }) => mutation && caller.startsWith("token ") && target.includes(name))
    .map(({ httpMethod, target }) => `${httpMethod} ${target.replace(/^.*\/buckets/, "")}`);
}

test("adopts an existing log bucket with a PATCH, which another state detects as drift", async () => {
  await using first = await openTerraform(provider);
  await using second = await openTerraform(provider);
  await first.apply(bucket("adopted"));
  expect(changesOf("adopted")).toEqual(["POST :createAsync?bucketId=adopted"]);

  expect(await second.apply(bucket("adopted", { retention_days: 60 }))).toContain("1 added");
  expect(changesOf("adopted").slice(1)).toEqual(["PATCH /adopted?updateMask=retentionDays"]);
  expect(await cloud.make("GET", path("adopted"))).toMatchObject({ retentionDays: 60 });
  expect(await first.plan()).toBe(2);
});

test("changes a log bucket in place: analytics in its own operation, the lock as the last step", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("changed"));
  const more = { description: "kept", enable_analytics: true, locked: true, retention_days: 90 };
  expect(await terraform.apply(bucket("changed", more))).toContain("0 added, 1 changed, 0 destroyed");

  expect(changesOf("changed").slice(1)).toEqual([
    "POST /changed:updateAsync?updateMask=analyticsEnabled",
    "PATCH /changed?updateMask=retentionDays%2Cdescription",
    "PATCH /changed?updateMask=locked",
  ]);
  expect(await terraform.plan()).toBe(0);
  // Analytics can't be disabled, so the stand-in sends no change.
  await terraform.write(bucket("changed", { ...more, enable_analytics: false }));
  expect(await terraform.plan()).toBe(0);
});

test("keeps a deleted log bucket for seven days, and its name can't be reused until then", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("weekly"));
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  await terraform.write(bucket("weekly"));
  await cloud.clock.advance(7 * dayMs - 1);
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");
  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("DELETE_REQUESTED")]);

  await cloud.clock.advance(1);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(await terraform.plan()).toBe(0);
});

test("shows in a refresh that a log bucket was deleted elsewhere, and fails after its final removal", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("shared"));
  await cloud.make("DELETE", path("shared"));
  await terraform.succeed("apply", "-refresh-only", "-auto-approve", "-no-color");
  expect(await terraform.show("google_logging_project_bucket_config.main")).toMatchObject({
    lifecycle_state: "DELETE_REQUESTED",
  });

  await cloud.clock.advance(8 * dayMs);
  const { exitCode, stderr } = await terraform.run("plan", "-no-color");
  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("HTTP 404")]);
});

test("does not delete the default log buckets of a project when they are destroyed", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("_Default"));
  await terraform.succeed("destroy", "-auto-approve", "-no-color");

  expect(await cloud.make("GET", path("_Default"))).toMatchObject({ lifecycleState: "ACTIVE" });
});

test("renames a log-based metric in place", async () => {
  const metric = (name: string) => stackOf({ google_logging_metric: { main: { name, filter: "severity>=ERROR" } } });
  await using terraform = await openTerraform(provider);
  await terraform.apply(metric("before"));

  expect(await terraform.apply(metric("after"))).toContain("0 added, 1 changed, 0 destroyed");
});
