import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groups } from "../../conformance/behaviors";
import { conform } from "../../conformance/conform";
import { createGoogleSide } from "../../conformance/google-side";
import { createJournal, type JournalResource, memoryJournal, readJournal } from "../../conformance/journal";
import { rehearsalIdentity, startRehearsalSide } from "../../conformance/rehearsal-side";
import { kindCreatedBy } from "../../conformance/resource-kinds";
import { runSuite } from "../../conformance/run";
import type { Side, Transport } from "../../conformance/side";

const kills = 20;
const seed = Number(process.env.SEED ?? Date.now()) % 1_000_000;

/** Returns numbers from 0 up to 1 that depend on the seed (mulberry32). */
function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ends the run as a kill does: neither the request nor any later one is answered. */
function killedAt(request: number, isDelivered: boolean): (transport: Transport) => Transport {
  let sent = 0;
  return (transport) => async (prepared) => {
    sent += 1;
    if (sent === request && isDelivered) await transport(prepared);
    if (sent >= request) return new Promise(() => undefined);
    return transport(prepared);
  };
}

/** Returns the resources of a journal that still exist. */
async function existing(side: Side, resources: readonly JournalResource[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { createdBy, target } of resources) {
    const kind = kindCreatedBy(createdBy);
    if (kind === undefined) throw new Error(`${createdBy} is unknown`);
    const { search } = kind;
    if (search !== undefined) {
      const items = (await side.make(search.list, target))[search.items] as
        | readonly { displayName?: string }[]
        | undefined;
      found.push(...(items ?? []).map(({ displayName }) => displayName ?? ""));
      continue;
    }
    const { status, body } = await side.call(kind.remove.replace(/\.delete$/, ".get"), target);
    const isKept = kind.keeps !== undefined && /DELETE_REQUESTED|DELETED/.test(JSON.stringify(body));
    if (status !== 404 && !isKept) found.push(JSON.stringify(target));
  }
  return found;
}

/** Number of requests of each group in a whole run. */
const requestsOf: number[] = [];
beforeAll(async () => {
  let sent = 0;
  const around = (transport: Transport) => (prepared: Parameters<Transport>[0]) => {
    sent += 1;
    return transport(prepared);
  };
  await using rehearsal = await startRehearsalSide({ around });
  for (const group of groups) {
    const before = sent;
    await runSuite([group], { side: rehearsal.side });
    requestsOf.push(sent - before);
  }
}, 300_000);

/** The first kills are in a whole run. To save time, the others begin two groups before the kill. */
const wholeRuns = 4;

/** Returns the groups that run, and the number of the request at which the run is killed. */
function choose(index: number, random: () => number) {
  const total = requestsOf.reduce((sum, count) => sum + count, 0);
  let request = 1 + Math.floor(random() * total);
  let first = 0;
  for (let at = 0; index >= wholeRuns && at < groups.length && request > (requestsOf[at] ?? 0); at++) {
    first = at + 1;
    request -= requestsOf[at] ?? 0;
  }
  const begin = Math.max(0, first - 2);
  const skipped = requestsOf.slice(begin, first).reduce((sum, count) => sum + count, 0);
  return { chosen: groups.slice(begin), request: request + skipped };
}

test.each(Array.from({ length: kills }, (_, index) => index))(
  `leaves nothing after --cleanup of a run that was killed at a random request (kill %i, seed ${seed})`,
  async (index) => {
    const random = randomOf(seed + index);
    const { chosen, request } = choose(index, random);
    const path = join(mkdtempSync(join(tmpdir(), "kill-")), "run.jsonl");
    const header = { version: 1, ...rehearsalIdentity, startedAt: new Date().toISOString() } as const;
    let hasStopped: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      hasStopped = resolve;
    });
    const around = (transport: Transport): Transport => {
      const killed = killedAt(request, random() < 0.5)(transport);
      let sent = 0;
      return async (prepared) => {
        sent += 1;
        const answer = killed(prepared);
        if (sent === request) setImmediate(hasStopped);
        return answer;
      };
    };
    const journal = createJournal(path, header);
    await using rehearsal = await startRehearsalSide({ around, journal });
    const { cloud } = rehearsal;
    const ended = runSuite(chosen, { side: rehearsal.side });
    await Promise.race([stopped, ended]);
    // The request may still be in progress on the cloud, as after a real kill.
    await cloud.clock.advance(1_000);
    const endpoint = cloud.endpoints.http.replace(/\/$/, "");
    // The address of the cloud was not known when the journal began.
    const [, ...entries] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [JSON.stringify({ ...header, endpoint }), ...entries].join("\n"));
    let text = "";
    const exitCode = await conform(["--cleanup", path, "--endpoint", endpoint, "--yes"], {
      out: (part) => {
        text += part;
      },
      err: () => undefined,
      input: process.stdin,
      now: () => new Date(),
      signal: new AbortController().signal,
      wait: (ms) => cloud.clock.advance(ms),
    });
    expect(text).toContain(" 0 are left");
    expect(exitCode).toBe(0);
    const reader = createGoogleSide({ identity: rehearsalIdentity, journal: memoryJournal(), endpoint });
    expect(await existing(reader, readJournal(path).resources)).toEqual([]);
  },
  300_000,
);
