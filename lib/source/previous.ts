import type { SourceTraffic } from "./model";

/** The records of a name before the migration, in the format of plans and outputs. */
interface Previous {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
}

/**
 * Returns the records of hostnames before the traffic move.
 *
 * @param resolve resolves a reference; returns undefined if only Terraform knows the value
 */
export function previousOf(
  previous: Readonly<Record<string, Previous>>,
  resolve: (text: string) => string | undefined,
): Pick<SourceTraffic, "previous" | "previousAliases"> {
  const known = Object.entries(previous);
  const addresses = known.flatMap(([hostname, { a = [], aaaa = [] }]) => {
    const own = [...a, ...aaaa].flatMap((address) => resolve(address) ?? []);
    return own.length === 0 ? [] : [[hostname, own] as const];
  });
  const aliases = known.flatMap(([hostname, { cname }]) => {
    const target = cname === undefined ? undefined : resolve(cname);
    return target === undefined ? [] : [[hostname, target.replace(/\.$/, "")] as const];
  });
  return {
    ...(addresses.length === 0 ? {} : { previous: Object.fromEntries(addresses) }),
    ...(aliases.length === 0 ? {} : { previousAliases: Object.fromEntries(aliases) }),
  };
}
