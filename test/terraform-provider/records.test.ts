import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn({ operationMs: 20 });

function stackOf(
  project: string,
  records: Readonly<Record<string, object>>,
  zone: object = {},
  rest: object = {},
): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project } },
    resource: {
      google_dns_managed_zone: { main: { name: "zone", dns_name: "example.com.", ...zone } },
      google_dns_record_set: Object.fromEntries(
        Object.entries(records).map(([id, record]) => [
          id,
          { managed_zone: "${google_dns_managed_zone.main.name}", ttl: 300, ...record },
        ]),
      ),
    },
    ...rest,
  };
}

const web = (...rrdatas: readonly string[]) => ({ name: "www.example.com.", type: "A", rrdatas });

/** The changes of a project's zone since a point of its log. */
function changesOf(project: string): readonly string[] {
  return standIn.cloud.log
    .list()
    .filter(({ target, mutation }) => mutation && target.includes(`/projects/${project}/`))
    .map(({ httpMethod, target }) => `${httpMethod} ${target.replace(/^.*\/projects\/[^/]+\//, "")}`);
}

/** What the name servers answer. */
function servedOf(name: string): readonly object[] {
  const found = standIn.cloud.dns.zones.findZone(name)?.recordSets(name) ?? [];
  return found.map(({ type, ttl, rrdatas }) => ({ type, ttl, rrdatas }));
}

test("creates records by changes, updates each in one change, and deletes them", async () => {
  const project = "records";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: web("192.0.2.1") }));
  expect(await terraform.plan()).toBe(0);
  expect(servedOf("www.example.com.")).toEqual([{ type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }]);

  await terraform.apply(stackOf(project, { web: { ...web("192.0.2.1", "192.0.2.2"), ttl: 60 } }));
  expect(servedOf("www.example.com.")).toEqual([{ type: "A", ttl: 60, rrdatas: ["192.0.2.1", "192.0.2.2"] }]);
  expect(changesOf(project)).toEqual([
    "POST managedZones",
    "POST managedZones/zone/changes",
    "POST managedZones/zone/changes",
  ]);
  expect(await terraform.plan()).toBe(0);

  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect((await standIn.cloud.call("GET", `dns/v1/projects/${project}/managedZones`)).body.managedZones).toEqual([]);
});

test("treats records in another order and addresses in another spelling as equal", async () => {
  const records = (ipv4: readonly string[], ipv6: string, text: string) => ({
    ipv4: { name: "mail.example.net.", type: "A", rrdatas: ipv4 },
    ipv6: { name: "mail.example.net.", type: "AAAA", rrdatas: [ipv6] },
    text: { name: "example.net.", type: "TXT", rrdatas: [text] },
  });
  const zone = { dns_name: "example.net." };
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf("order", records(["192.0.2.2", "192.0.2.1"], "2001:db8::7", '"v=spf1 -all"'), zone));
  await terraform.write(
    stackOf("order", records(["192.0.2.1", "192.0.2.2"], "2001:DB8:0:0:0:0:0:7", '"V=SPF1 -all"'), zone),
  );

  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
});

test("changes a type in place in one change, and reverts a record that was changed manually", async () => {
  const project = "types";
  const zone = { dns_name: "types.example." };
  const alias = { name: "www.types.example.", type: "CNAME", rrdatas: ["old.example.org."] };
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: alias }, zone));
  await terraform.apply(stackOf(project, { web: { ...alias, type: "A", rrdatas: ["192.0.2.7"] } }, zone));
  expect(await terraform.show("google_dns_record_set.web")).toMatchObject({
    id: `projects/${project}/managedZones/zone/rrsets/www.types.example./A`,
  });
  expect(await terraform.plan()).toBe(0);

  const path = `dns/v1/projects/${project}/managedZones/zone/rrsets`;
  await standIn.cloud.call("PATCH", `${path}/www.types.example./A`, { rrdatas: ["192.0.2.66"], ttl: 5 });
  expect(await terraform.plan()).toBe(2);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect((await standIn.cloud.call("GET", `${path}/www.types.example./A`)).body).toMatchObject({
    rrdatas: ["192.0.2.7"],
    ttl: 300,
  });
});

test("adopts live records, and leaves the zone's own records unchanged", async () => {
  const project = "live";
  const zones = `dns/v1/projects/${project}/managedZones`;
  const made = await standIn.cloud.call("POST", zones, {
    name: "zone",
    dnsName: "live.example.",
    description: "by hand",
  });
  const live = { name: "www.live.example.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] };
  await standIn.cloud.call("POST", `${zones}/zone/rrsets`, live);
  const { nameServers } = made.body as { readonly nameServers: readonly string[] };
  const records = {
    web: web("192.0.2.1"),
    apex: { name: "live.example.", type: "NS", ttl: 21_600, rrdatas: [...nameServers].reverse() },
  };
  const stack = stackOf(
    project,
    { ...records, web: { ...records.web, name: live.name } },
    { dns_name: "live.example.", description: "by hand" },
  );
  await using terraform = await openTerraform(standIn.provider);
  const applied = await terraform.apply({
    ...stack,
    import: [
      { to: "google_dns_managed_zone.main", id: "zone" },
      { to: "google_dns_record_set.web", id: "zone/www.live.example./A" },
      { to: "google_dns_record_set.apex", id: `${project}/zone/live.example./NS` },
    ],
  });

  expect(applied).toContain("3 imported, 0 added");
  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect((await standIn.cloud.call("GET", `${zones}/zone`)).status).toBe(404);
});

test("deletes a zone with records of other clients only if force_destroy is set", async () => {
  const project = "emptied";
  const zone = { dns_name: "emptied.example." };
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, { web: { ...web("192.0.2.1"), name: "www.emptied.example." } }, zone));
  const foreign = { name: "mail.emptied.example.", type: "A", ttl: 300, rrdatas: ["192.0.2.9"] };
  await standIn.cloud.call("POST", `dns/v1/projects/${project}/managedZones/zone/rrsets`, foreign);
  const refused = await terraform.run("destroy", "-auto-approve", "-no-color");
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("containerNotEmpty")]);

  await terraform.apply(
    stackOf(project, { web: { ...web("192.0.2.1"), name: "www.emptied.example." } }, { ...zone, force_destroy: true }),
  );
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect((await standIn.cloud.call("GET", `dns/v1/projects/${project}/managedZones/zone`)).status).toBe(404);
});
