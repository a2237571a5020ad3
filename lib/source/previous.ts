import type { SourceTraffic } from "./model";

/** What a name's records were, as plans and outputs have it. */
interface Previous {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
}

/** Where hostnames led before traffic moved. @param resolve turns text into what it stands for; nothing where only Terraform knows it */
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
