import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const hourMs = 3_600_000;
let provider: TerraformProvider;
let time = Date.parse("2026-11-22T00:00:00Z");

beforeAll(async () => {
  provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", now: () => time });
});

afterAll(() => provider.close());

function stackOf(resource: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1" } },
    resource,
  };
}

const bucket = (bucket_id: string, retention_days = 30) =>
  stackOf({
    google_logging_project_bucket_config: { main: { project: "p1", location: "global", bucket_id, retention_days } },
  });

test("a log bucket that exists is adopted by a change of it", async () => {
  await using first = await openTerraform(provider);
  await using second = await openTerraform(provider);
  await first.apply(bucket("adopted"));

  expect(await second.apply(bucket("adopted", 60))).toContain("1 added");
  expect(await first.plan()).toBe(0);
});

test("a log bucket that was deleted stays for seven days, and can't be made again under its name until then", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("weekly"));
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  await terraform.write(bucket("weekly"));
  time += 7 * 24 * hourMs - 1;
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");
  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("DELETE_REQUESTED")]);

  time += 1;
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(await terraform.plan()).toBe(0);
});

test("another log bucket is made meanwhile", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("former"));
  await terraform.succeed("destroy", "-auto-approve", "-no-color");

  expect(await terraform.apply(bucket("latter"))).toContain("1 added");
});

test("a refresh shows that a log bucket was deleted elsewhere, and fails when it is gone", async () => {
  await using first = await openTerraform(provider);
  await using second = await openTerraform(provider);
  await first.apply(bucket("shared"));
  await second.apply(bucket("shared"));
  await second.succeed("destroy", "-auto-approve", "-no-color");
  await first.succeed("apply", "-refresh-only", "-auto-approve", "-no-color");
  expect(await first.show("google_logging_project_bucket_config.main")).toMatchObject({
    lifecycle_state: "DELETE_REQUESTED",
  });

  time += 8 * 24 * hourMs;
  const { exitCode, stderr } = await first.run("plan", "-no-color");
  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("the log bucket does not exist"),
  ]);
});

test("the log buckets that every project has are left when they are destroyed", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.apply(bucket("_Default"));
  await terraform.succeed("destroy", "-auto-approve", "-no-color");

  expect(await terraform.apply(bucket("_Default"))).toContain("1 added");
});

test("a log-based metric is renamed in place", async () => {
  const metric = (name: string) => stackOf({ google_logging_metric: { main: { name, filter: "severity>=ERROR" } } });
  await using terraform = await openTerraform(provider);
  await terraform.apply(metric("before"));

  expect(await terraform.apply(metric("after"))).toContain("0 added, 1 changed, 0 destroyed");
});
