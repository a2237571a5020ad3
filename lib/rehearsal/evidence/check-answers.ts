/** Whether each probe went where DNS had led it. */

import type { Probe } from "../probe";
import { linesOf } from "./evidence-lines";

interface Answer {
  readonly time: string;
  readonly name: string;
  readonly answers: readonly ({ readonly data?: string; readonly ttl?: number } | null)[];
}

/** A probe says when its handshake began, DNS when the first probe was led by it: how much of the machine's time may lie between, and how much of the cloud's at least. */
const slack = { machineMs: 4_000, leastMs: 120_000 } as const;

export type Told = readonly { readonly timeMs: number; readonly data: string; readonly ttlMs: number }[];

/** What DNS said, by name, and in how many lines. */
export async function readAnswers(
  file: string,
): Promise<{ readonly byName: ReadonlyMap<string, Told>; readonly count: number }> {
  const told = new Map<string, Told[number][]>();
  let count = 0;
  const shape = { time: "string", name: "string", answers: "list" } as const;
  for await (const { time, name, answers } of linesOf<Answer>(file, shape)) {
    count += 1;
    const known = told.get(name) ?? [];
    told.set(name, known);
    const timeMs = Date.parse(time);
    for (const answer of answers) {
      const { data = "", ttl = 0 } = answer ?? {};
      known.push({ timeMs, data, ttlMs: ttl * 1_000 });
    }
  }
  return { byName: told, count };
}

/** @param told of the probe's hostname @param speed seconds of the cloud in one of the machine's */
export function wasTold(told: Told, { time, address }: Pick<Probe, "time" | "address">, speed: number): boolean {
  const probedMs = Date.parse(time);
  const slackMs = Math.max(slack.leastMs, slack.machineMs * speed);
  return told.some(
    ({ timeMs, data, ttlMs }) =>
      data === address && timeMs <= probedMs + slackMs && timeMs + ttlMs + slackMs >= probedMs,
  );
}
