import type { TerraformStack } from "cdktf";
import {
  Certificate,
  DnsPublication,
  InputError,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
} from "../../lib";

const cloudDns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });

/** Creates a migration, by default of a domain and its wildcard in Cloud DNS. */
export function migrate(
  stack: TerraformStack,
  change: Partial<ManagedCertMigrationProps> = {},
  id = "shop",
): ManagedCertMigration {
  return new ManagedCertMigration(stack, id, {
    certificates: [Certificate.managed({ domains: ["example.com", "*.example.com"] })],
    dns: cloudDns,
    ...change,
  });
}

/** Returns the codes of a refusal, or an empty list if nothing is refused. */
export function refusal(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}
