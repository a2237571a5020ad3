import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { InputError } from "../../errors";

/** What a synthesized stack says of the names and addresses to verify. */
export interface StackTargets {
  readonly hostnames: readonly string[];
  /** Those that are literals; references are known to Terraform alone. */
  readonly addresses: readonly string[];
}

interface MigrationBlock {
  readonly entries?: readonly { readonly hostname?: string }[];
  readonly certificates?: readonly { readonly domains?: readonly string[] }[];
  readonly traffic?: { readonly hostnames?: readonly string[] };
  readonly addresses?: { readonly ipv4?: readonly string[]; readonly ipv6?: readonly string[] };
}

/**
 * Reads the output `cert_migration` of a synthesized stack.
 *
 * @param folder where its `cdk.tf.json` is
 * @param path construct path of one migration; without it all of them count
 */
export function readStackTargets(folder: string, path?: string): StackTargets {
  const migrations = readMigrations(folder);
  const chosen = path === undefined ? Object.values(migrations) : [migrations[path]];
  const known = chosen.filter((migration) => migration !== undefined);
  if (known.length === 0) {
    const paths = Object.keys(migrations).join(", ") || "none";
    throw new InputError("migration-unknown", `--migration: '${path ?? ""}' is not in the stack, which has ${paths}`);
  }
  const hostnames = known.flatMap(namesOf);
  const addresses = known.flatMap(({ addresses: given }) => [...(given?.ipv4 ?? []), ...(given?.ipv6 ?? [])]);
  return {
    hostnames: [...new Set(hostnames)].sort(),
    addresses: [...new Set(addresses.filter((address) => isIP(address) !== 0))],
  };
}

/** Names whose traffic moves, every name that has an entry, or the certificates' own where there is no map. */
function namesOf({ traffic, entries, certificates }: MigrationBlock): readonly string[] {
  const served =
    entries === undefined
      ? (certificates ?? []).flatMap(({ domains }) => domains ?? [])
      : entries.flatMap(({ hostname }) => (hostname === undefined || hostname === "PRIMARY" ? [] : [hostname]));
  return [...served, ...(traffic?.hostnames ?? [])];
}

function readMigrations(folder: string): Readonly<Record<string, MigrationBlock>> {
  const file = join(folder, "cdk.tf.json");
  let stack: { readonly output?: { readonly cert_migration?: { readonly value?: { readonly migrations?: unknown } } } };
  try {
    stack = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "no JSON";
    throw new InputError(
      "stack-unreadable",
      `--stack: '${file}' can't be read (${reason}); name a folder of cdktf.out/stacks`,
    );
  }
  const migrations = stack.output?.cert_migration?.value?.migrations;
  if (typeof migrations !== "object" || migrations === null) {
    throw new InputError(
      "stack-without-migration",
      `--stack: '${file}' has no output cert_migration; name a stack with a migration`,
    );
  }
  return migrations as Readonly<Record<string, MigrationBlock>>;
}
