/** Checks which servers and certificates the probes reached, and in which steps. */
import { quote } from "../../text/quote";
import type { Probe } from "../probe";
import type { RehearsalResult } from "../rehearsal";
import { type DnsAnswers, wasAnswered } from "./check-answers";
import type { Certificates } from "./check-certificates";
import { type Course, unprobedOf } from "./check-migrations";
import { speedOf } from "./check-probes";
import { check, type EvidenceCheck } from "./check-terraform";

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
