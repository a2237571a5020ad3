import { DnsPublication, LoadBalancer, type ManagedCertMigrationProps } from "../../lib";
import { migrate } from "../support/migrate";
import { newStack, resourcesOf, synthesize } from "../support/synth";

const previous = {
  "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] },
  "www.example.com": { cname: "old.example.net" },
};
const loadBalancer = LoadBalancer.globalExternal({ addresses: ["203.0.113.7", "2001:db8::7"] });
const migrationTo = (to: "previous" | "loadBalancer", change: Partial<ManagedCertMigrationProps> = {}) => {
  const stack = newStack();
  migrate(stack, { loadBalancer, traffic: { to, previous }, ...change });
  return synthesize(stack);
};
const recordsOf = (synthesized: ReturnType<typeof migrationTo>) =>
  Object.fromEntries(
    Object.values(resourcesOf(synthesized, "google_dns_record_set"))
      .filter(({ ttl }) => ttl === 60)
      .map(({ name, type, rrdatas }) => [`${name} ${type}`, (rrdatas as string[]).join()]),
  );

test("step 8 changes records in place, an alias by its target, and back", () => {
  const ingress = {
    "cert-migration-ingress.example.com. A": "203.0.113.7",
    "cert-migration-ingress.example.com. AAAA": "2001:db8::7",
  };
  expect(recordsOf(migrationTo("previous"))).toEqual({
    ...ingress,
    "example.com. A": "198.51.100.1",
    "example.com. AAAA": "2001:db8:1::1",
    "www.example.com. CNAME": "old.example.net.",
  });
  expect(recordsOf(migrationTo("loadBalancer"))).toEqual({
    ...ingress,
    "example.com. A": "203.0.113.7",
    "example.com. AAAA": "2001:db8::7",
    "www.example.com. CNAME": "cert-migration-ingress.example.com.",
  });
  expect(Object.keys(migrationTo("previous").resource?.google_dns_record_set ?? {})).toEqual(
    Object.keys(migrationTo("loadBalancer").resource?.google_dns_record_set ?? {}),
  );
});

test("step 8 adopts existing records", () => {
  expect(migrationTo("previous").import?.map(({ id }) => id)).toEqual([
    "example-com/example.com./A",
    "example-com/example.com./AAAA",
    "example-com/www.example.com./CNAME",
  ]);
});

test("step 8 follows a check of the load balancer if the gate is 'wait'", () => {
  const synthesized = migrationTo("loadBalancer");
  const [address, verification] =
    Object.entries(resourcesOf(synthesized, "terraform_data")).find(([id]) => id.includes("verification")) ?? [];
  expect(verification?.provisioner).toEqual([
    {
      "local-exec": {
        command: "npx --no-install cert-migration verify --from-environment",
        environment: {
          CERT_MIGRATION_VERIFY_STACK: ".",
          CERT_MIGRATION_VERIFY_MIGRATION: "prod/shop",
          CERT_MIGRATION_VERIFY_ADDRESSES: "203.0.113.7,2001:db8::7",
        },
      },
    },
  ]);
  const moved = Object.values(resourcesOf(synthesized, "google_dns_record_set")).filter(({ ttl }) => ttl === 60);
  for (const record of moved) expect(record.depends_on).toContain(`terraform_data.${address}`);
  expect(JSON.stringify(migrationTo("previous").resource?.terraform_data)).not.toContain("verify");
});

test("step 8 returns the records if another service hosts DNS", () => {
  const synthesized = migrationTo("loadBalancer", { dns: DnsPublication.external() });
  expect(synthesized.resource?.google_dns_record_set).toBeUndefined();
  const value = synthesized.output?.cert_migration?.value as {
    migrations: Record<string, { traffic: unknown }>;
  };
  expect(value.migrations["prod/shop"]?.traffic).toEqual({
    to: "loadBalancer",
    hostnames: ["example.com", "www.example.com"],
    previous: {
      "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] },
      "www.example.com": { cname: "old.example.net." },
    },
    records: [
      { name: "cert-migration-ingress.example.com.", type: "A", data: ["203.0.113.7"] },
      { name: "cert-migration-ingress.example.com.", type: "AAAA", data: ["2001:db8::7"] },
      { name: "example.com.", type: "A", data: ["203.0.113.7"] },
      { name: "example.com.", type: "AAAA", data: ["2001:db8::7"] },
      { name: "www.example.com.", type: "CNAME", data: ["cert-migration-ingress.example.com."] },
    ],
  });
});
