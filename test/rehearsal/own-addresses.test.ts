import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "../../lib/constructs";
import type { StackJson } from "../../lib/rehearsal";
import { ownAddresses } from "../../lib/rehearsal/own-addresses";
import { sourceMigrationsIn } from "../../lib/rehearsal/stack";
import { newStack, synthesize } from "../support/synth";

/** Migrations of one stack: their names, and the addresses of their load balancers. */
function stackOf(migrations: Readonly<Record<string, { readonly domain: string; readonly addresses: string[] }>>) {
  const stack = newStack();
  for (const [id, { domain, addresses }] of Object.entries(migrations)) {
    new ManagedCertMigration(stack, id, {
      certificates: [Certificate.managed({ domains: [domain] })],
      dns: DnsPublication.external(),
      loadBalancer: LoadBalancer.globalExternal({ addresses }),
      gate: "none",
    });
  }
  return synthesize(stack) as unknown as StackJson;
}

const two = stackOf({
  shop: { domain: "shop.example.com", addresses: ["203.0.113.7"] },
  pay: { domain: "*.example.net", addresses: ["203.0.113.8", "203.0.113.9"] },
});
const all = ["203.0.113.7", "203.0.113.8", "203.0.113.9"];

const one = stackOf({ shop: { domain: "shop.example.com", addresses: ["203.0.113.7"] } });

test.each<[string, StackJson, readonly string[], string, readonly string[]]>([
  ["the addresses of its migration", two, all, "shop.example.com", ["203.0.113.7"]],
  ["the addresses of the migration with its wildcard", two, all, "a.example.net", ["203.0.113.8", "203.0.113.9"]],
  ["only where something listens", two, all.slice(0, 2), "a.example.net", ["203.0.113.8"]],
  ["all addresses, if nothing listens at its own", two, all.slice(0, 1), "a.example.net", ["203.0.113.7"]],
  ["all addresses, if no migration has the name", two, all, "a.example.org", all],
  ["all addresses, if there is one migration", one, all, "shop.example.com", all],
  ["all addresses, if the stack does not describe its migrations", {}, all, "shop.example.com", all],
])("a hostname is verified at %s", (_, stack, listening, hostname, expected) => {
  expect(ownAddresses(sourceMigrationsIn(stack), listening)(hostname)).toEqual(expected);
});
