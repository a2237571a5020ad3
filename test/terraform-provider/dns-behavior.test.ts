import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn();

/** Record sets in a zone `zone` that exists. */
function stackOf(project: string, records: Readonly<Record<string, object>>): object {
  const blocks = Object.entries(records).map(([id, record]) => [id, { managed_zone: "zone", ttl: 300, ...record }]);
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project } },
    ...(blocks.length === 0 ? {} : { resource: { google_dns_record_set: Object.fromEntries(blocks) } }),
  };
}

async function makeZone(project: string): Promise<string> {
  const zones = `dns/v1/projects/${project}/managedZones`;
  await standIn.cloud.call("POST", zones, { name: "zone", dnsName: `${project}.example.`, description: "live" });
  return `${zones}/zone`;
}

/** Bodies of the changes that were made in a project. */
async function changesOf(zone: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await standIn.cloud.call("GET", `${zone}/changes`);
  return body.changes as readonly Readonly<Record<string, unknown>>[];
}

const web = (project: string, ...rrdatas: readonly string[]) => ({
  name: `www.${project}.example.`,
  type: "A",
  rrdatas,
});

test("creating a record set overwrites an existing one, by a deletion and an addition in one change", async () => {
  const project = "overwritten";
  const zone = await makeZone(project);
  await standIn.cloud.call("POST", `${zone}/rrsets`, { ...web(project, "198.51.100.1"), ttl: 60 });
  const before = (await changesOf(zone)).length;
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: web(project, "192.0.2.1") }));

  expect((await standIn.cloud.call("GET", `${zone}/rrsets/www.${project}.example./A`)).body).toMatchObject({
    ttl: 300,
    rrdatas: ["192.0.2.1"],
  });
  expect((await changesOf(zone)).slice(before)).toMatchObject([
    { deletions: [{ rrdatas: ["198.51.100.1"], ttl: 60 }], additions: [{ rrdatas: ["192.0.2.1"], ttl: 300 }] },
  ]);
  expect(await terraform.plan()).toBe(0);
});

test("creating a record set leaves those of other types at the same name", async () => {
  const project = "beside";
  const zone = await makeZone(project);
  await standIn.cloud.call("POST", `${zone}/rrsets`, { ...web(project, "2001:db8::1"), type: "AAAA", ttl: 60 });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: web(project, "192.0.2.1") }));

  expect((await standIn.cloud.call("GET", `${zone}/rrsets/www.${project}.example./AAAA`)).body).toMatchObject({
    rrdatas: ["2001:db8::1"],
  });
});

test("creating a record set that exists beyond the zone's first 100 is refused with 409", async () => {
  const project = "large";
  const zone = await makeZone(project);
  const additions = Array.from({ length: 100 }, (_, index) => ({
    ...web(project, "198.51.100.1"),
    name: `a${String(index).padStart(3, "0")}.${project}.example.`,
    ttl: 60,
  }));
  await standIn.cloud.call("POST", `${zone}/changes`, {
    additions: [...additions, { ...web(project, "198.51.100.1"), ttl: 60 }],
  });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.write(stackOf(project, { web: web(project, "192.0.2.1") }));
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");

  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("HTTP 409")]);
  expect((await standIn.cloud.call("GET", `${zone}/rrsets/www.${project}.example./A`)).body).toMatchObject({
    rrdatas: ["198.51.100.1"],
  });
});

test("deleting a record set that no longer exists succeeds", async () => {
  const project = "vanished";
  const zone = await makeZone(project);
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: web(project, "192.0.2.1") }));
  await terraform.write(stackOf(project, {}));
  await standIn.cloud.call("DELETE", `${zone}/rrsets/www.${project}.example./A`);

  expect(await terraform.succeed("apply", "-refresh=false", "-auto-approve", "-no-color")).toContain("1 destroyed");
});

test("deleting a record set that was changed since the refresh fails, and the record set stays", async () => {
  const project = "changed";
  const zone = await makeZone(project);
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: web(project, "192.0.2.1") }));
  await standIn.cloud.call("PATCH", `${zone}/rrsets/www.${project}.example./A`, { rrdatas: ["192.0.2.66"], ttl: 5 });
  await terraform.write(stackOf(project, {}));
  const { exitCode, stderr } = await terraform.run("apply", "-refresh=false", "-auto-approve", "-no-color");

  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("HTTP 412")]);
});

test("the id of a record set stays known when its type changes, and differs after the apply", async () => {
  const project = "retyped";
  await makeZone(project);
  const alias = { name: `www.${project}.example.`, type: "CNAME", rrdatas: ["old.example.org."] };
  const output = { id: { value: "${google_dns_record_set.web.id}" } };
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply({ ...stackOf(project, { web: alias }), output });
  await terraform.write({ ...stackOf(project, { web: web(project, "192.0.2.7") }), output });

  expect(await terraform.succeed("plan", "-no-color")).not.toContain("known after apply");
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(await terraform.show("google_dns_record_set.web")).toMatchObject({
    id: `projects/${project}/managedZones/zone/rrsets/www.${project}.example./A`,
  });
});
