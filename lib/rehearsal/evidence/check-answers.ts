/** Checks that each probe connected to an address that DNS returned. */

import type { Probe } from "../probe";
import { linesOf } from "./evidence-lines";

interface Answer {
  readonly time: string;
  readonly name: string;
  readonly answers: readonly ({ readonly data?: string; readonly ttl?: number } | null)[];
}

/**
 * A probe records when its handshake began. DNS answers are recorded when the first probe uses them. The slack is the
 * time allowed between the two: `machineMs` in milliseconds of the machine, and at least `leastMs` in milliseconds of
 * the cloud.
 */
const slack = { machineMs: 4_000, leastMs: 120_000 } as const;

export type DnsAnswers = readonly { readonly timeMs: number; readonly data: string; readonly ttlMs: number }[];

/** Returns the DNS answers by name, and the number of lines. */
export async function readAnswers(
  file: string,
): Promise<{ readonly byName: ReadonlyMap<string, DnsAnswers>; readonly count: number }> {
  const byName = new Map<string, DnsAnswers[number][]>();
  let count = 0;
  const shape = { time: "string", name: "string", answers: "list" } as const;
  for await (const { time, name, answers } of linesOf<Answer>(file, shape)) {
    count += 1;
    const known = byName.get(name) ?? [];
    byName.set(name, known);
    const timeMs = Date.parse(time);
    for (const answer of answers) {
      const { data = "", ttl = 0 } = answer ?? {};
      known.push({ timeMs, data, ttlMs: ttl * 1_000 });
    }
  }
  return { byName, count };
}

/**
 * @param answers DNS answers for the probe's hostname
 * @param speed seconds of the cloud's clock per second of the machine
 */
export function wasAnswered(
  answers: DnsAnswers,
  { time, address }: Pick<Probe, "time" | "address">,
  speed: number,
): boolean {
  const probedMs = Date.parse(time);
  const slackMs = Math.max(slack.leastMs, slack.machineMs * speed);
  return answers.some(
    ({ timeMs, data, ttlMs }) =>
      data === address && timeMs <= probedMs + slackMs && timeMs + ttlMs + slackMs >= probedMs,
  );
}
