import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { severityRanks } from "../../findings/codes";
import type { SourceMigration } from "../../source";
import { hostnamesOf } from "../status";
import type { MonitorPass } from "./model";
import { withHostnames } from "./some-hostnames";

/** Migrations with some of the hostnames, which a pass examines together. */
export interface MonitoredPart {
  readonly migrations: () => readonly SourceMigration[];
}

/** The largest part: with more hostnames, most of the memory would be theirs and not Node's. */
const mostHostnames = 2_000;

/**
 * Divides the hostnames of migrations into parts, in their order. Each part is kept compressed until a pass needs it:
 * the objects of 20,000 hostnames need 25 MB, and the compressed parts 1 MB.
 *
 * @param most maximum number of hostnames in a part. @default 2,000
 */
export function partsOf(migrations: readonly SourceMigration[], most = mostHostnames): readonly MonitoredPart[] {
  const parts: Buffer[] = [];
  let part: SourceMigration[] = [];
  let free = most;
  const close = () => {
    if (part.length > 0) parts.push(deflateRawSync(serialize(part), { level: 1 }));
    part = [];
    free = most;
  };
  for (const migration of migrations) {
    const hostnames = [...new Set(hostnamesOf(migration).map(({ hostname }) => hostname))];
    for (let from = 0; from < hostnames.length; ) {
      const kept = new Set(hostnames.slice(from, from + free));
      part.push(
        ...(kept.size === hostnames.length ? [migration] : withHostnames(migration, (hostname) => kept.has(hostname))),
      );
      from += kept.size;
      free -= kept.size;
      if (free === 0) close();
    }
  }
  close();
  return parts.map((compressed) => ({
    migrations: () => deserialize(inflateRawSync(compressed)) as readonly SourceMigration[],
  }));
}

/** Returns the passes of all parts as one. Parts that have the same certificate have the same findings about it. */
export function joinPasses(passes: readonly MonitorPass[]): MonitorPass {
  const findings = new Map(passes.flatMap((pass) => pass.findings).map((found) => [JSON.stringify(found), found]));
  return {
    hostnames: passes.flatMap(({ hostnames }) => hostnames),
    findings: [...findings.values()].sort((a, b) => severityRanks[a.severity] - severityRanks[b.severity]),
  };
}
