/** Checks which addresses, servers and certificates the probes reached, and in which steps. */
import { quote } from "../../text/quote";
import type { Probe } from "../probe";
import type { RehearsalResult } from "../rehearsal";
import type { Certificates } from "./check-certificates";
import { type Course, unprobedOf } from "./check-migrations";
import { speedOf } from "./check-probes";
import { check, type EvidenceCheck, linesOf } from "./evidence-lines";

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

type DnsAnswers = readonly { readonly timeMs: number; readonly data: string; readonly ttlMs: number }[];

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

/** @param answers DNS answers by name */
export function recountReachedServers(
  { steps }: RehearsalResult,
  answers: ReadonlyMap<string, DnsAnswers>,
  certificates: Certificates,
) {
  const speed = speedOf(steps) ?? 1;
  const probedIn = steps.map((step) => ({ ...step, probed: new Set<string>() }));
  const hostnames = new Set<string>();
  const wrong = { unled: 0, unknown: 0, uncovered: 0, elsewhere: 0 };
  return {
    add: (probe: Probe): void => {
      hostnames.add(probe.hostname);
      for (const { from, until, probed } of probedIn)
        if (probe.time >= from && probe.time <= until) probed.add(probe.hostname);
      if (probe.address !== undefined && !wasAnswered(answers.get(probe.hostname) ?? [], probe, speed))
        wrong.unled += 1;
      const presented = probe.certificate === undefined ? undefined : certificates.known.get(probe.certificate);
      if (probe.certificate !== undefined && presented === undefined) wrong.unknown += 1;
      const side = certificates.sideOf(probe.certificate);
      if (side !== undefined && side !== probe.side) wrong.elsewhere += 1;
      // The certificate of a successful handshake must cover the hostname.
      if (probe.ok && presented?.checkHost(probe.hostname) === undefined) wrong.uncovered += 1;
    },
    hostnamesCheck: (course: Course): EvidenceCheck => {
      const unprobed = probedIn.filter(({ probed }) => probed.size < hostnames.size).map(({ number }) => number);
      const missed = unprobedOf(course, hostnames);
      const inAll = `${hostnames.size} hostnames in ${steps.length} steps`;
      const detail = unprobed.length === 0 ? inAll : `missing in steps ${unprobed.join(", ")}`;
      return check(
        "hostnames probed in every step",
        unprobed.length + missed.length === 0,
        missed.length > 0 ? `never probed: ${missed.map(quote).join(", ")}` : detail,
      );
    },
    checks: (): readonly EvidenceCheck[] => {
      const { unled, unknown, elsewhere, uncovered } = wrong;
      return [
        check("probed addresses", unled === 0, `${unled} probes used an address that DNS had not returned`),
        check(
          "presented certificates",
          unknown === 0,
          `${unknown} probes got a certificate that is not in the evidence`,
        ),
        check("sides", elsewhere === 0, `${elsewhere} probes got a certificate of the other side`),
        check(
          "certificate names",
          uncovered === 0,
          `${uncovered} successful probes without a certificate for their hostname`,
        ),
      ];
    },
  };
}
