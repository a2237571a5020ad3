import type { FallbackChecks, MonitoredPart, MonitorPass } from "../../../live/monitor";
import type { SourceMigration } from "../../../source";
import { caPoolReader } from "../../ca-pools";
import type { Io } from "../../command";
import { fallbackClient, readConnections } from "../../connections";
import * as load from "../../load";
import { endpointOf } from "../../options";
import { createProgress } from "../../progress";
import { readShard } from "../../shard";
import { readSource } from "../../source";
import { verifyNow } from "../../verify-now";
import { serviceTime } from "../rehearse/route";
import { readTrust } from "../verify/google-cloud";
import type { MonitorOptions } from "./options";

/** Reads what to monitor. @returns a function that runs one pass */
export async function preparePass(options: MonitorOptions, io: Io): Promise<() => Promise<MonitorPass>> {
  const { parts, beginFallbackChecks, ofPools } = await readMonitored(options, io);
  const collectGarbage = () => io.memory?.collect();
  collectGarbage();
  const lookUp = load.dns().createLookUp(options.dnsServer, io.signal);
  const { assessPass, joinPasses, keepLittle, pageSizes } = load.monitor();
  const lister = load.google().resourceLister(endpointOf(options, io), undefined, undefined, {
    ...pageSizes,
    ...keepLittle(),
  });
  const caPools = caPoolReader(options, io);
  const printed = new Set<string>();
  return async () => {
    // Roots of a pool and client certificates change while the command repeats.
    const trust = options.trustPool ? await readTrust(ofPools, options, io, printed) : undefined;
    const connections = await readConnections(options, io, trust?.rootsFor);
    const probing = { shakeHands: fallbackClient(connections), random: Math.random, signal: io.signal };
    const progress = createProgress(io, { noun: ["answer of DNS", "answers of DNS"] });
    const { askingOnce, observeAll, pairUp } = load.status();
    const lists = askingOnce(lister);
    const fallbacks = beginFallbackChecks();
    const passes: MonitorPass[] = [];
    let questions = 0;
    try {
      for (const part of parts) {
        const migrations = part.migrations();
        const observation = await observeAll(
          migrations,
          { lister: lists, lookUp, caPools, signal: io.signal, onGarbage: collectGarbage },
          (answered) => progress.update(questions + answered, 0),
        );
        questions += observation.questions;
        collectGarbage();
        progress.show("handshakes with the load balancer");
        const observed = pairUp(migrations, observation.observed);
        const verification = await verifyNow(observed, connections, io);
        collectGarbage();
        fallbacks.note(observed, verification);
        passes.push(assessPass(observed, verification, await serviceTime(io)));
      }
      passes.push({ hostnames: [], findings: await fallbacks.findings({ lister: lists, ...probing }) });
      const joined = joinPasses(passes);
      collectGarbage();
      return joined;
    } finally {
      progress.end();
    }
  };
}

interface Monitored {
  readonly parts: readonly MonitoredPart[];
  readonly beginFallbackChecks: () => FallbackChecks;
  /** Migrations whose private CAs are trusted; empty without `--trust-pool`. */
  readonly ofPools: readonly SourceMigration[];
}

async function readMonitored(options: MonitorOptions, io: Io): Promise<Monitored> {
  const shard = options.shard === undefined ? undefined : readShard(options.shard, io);
  const { migrations } = await readSource(options, io);
  const { fallbackChecks, migrationsOfShard, partsOf } = load.monitor();
  const ofShard = shard === undefined ? migrations : migrationsOfShard(migrations, shard);
  return {
    parts: partsOf(ofShard.map(withoutNeedless)),
    beginFallbackChecks: fallbackChecks(migrations),
    ofPools: options.trustPool ? migrations : [],
  };
}

/** Leaves out the authorizations of a migration whose records are known. */
function withoutNeedless(migration: SourceMigration): SourceMigration {
  return load.records().needsAuthorizations([migration]) ? migration : { ...migration, authorizations: [] };
}
