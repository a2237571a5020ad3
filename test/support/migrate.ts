import type { TerraformStack } from "cdktf";
import { DnsPublication, InputError, ManagedCertMigration, type ManagedCertMigrationProps } from "../../lib";

const cloudDns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });

/** A migration of a root and its wildcard in Cloud DNS, unless the props say otherwise. */
export function migrate(
  stack: TerraformStack,
  change: Partial<ManagedCertMigrationProps> = {},
  id = "shop",
): ManagedCertMigration {
  return new ManagedCertMigration(stack, id, {
    certificates: [{ domains: ["example.com", "*.example.com"] }],
    dns: cloudDns,
    ...change,
  });
}

/** The codes with which something is refused; none where it is not. */
export function refusal(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}
