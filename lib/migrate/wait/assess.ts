import type { LiveCertificate, LiveEntry } from "../../google";

/** Where a certificate or an entry stands, and why. */
export interface Standing {
  readonly name: string;
  /** As the service says; `MISSING` where there is no such certificate yet. */
  readonly state: string;
  /** What it waits for, or why it failed; one line for each reason. */
  readonly reasons: readonly string[];
}

/** `failed` as soon as one certificate has failed: it never recovers. */
export interface Assessment {
  readonly verdict: "active" | "waiting" | "failed";
  readonly standings: readonly Standing[];
}

const remedies: Readonly<Record<string, string>> = {
  CONFIG: "its CNAME is missing or wrong: publish it as 'records_to_publish' or the authorization says, dots and all",
  CAA: "a CAA record forbids it, or can't be looked up: allow pki.goog at the domain or its parents",
  RATE_LIMITED: "too many certificates were asked for: it is tried again later",
};
const startAnew = "it never recovers: mend the cause, then raise the certificate's 'generation' to have it issued anew";

/** Judges what was read against what is waited for. */
export function assess(wanted: readonly string[], found: readonly LiveCertificate[]): Assessment {
  const byName = new Map(found.map((certificate) => [certificate.name, certificate]));
  const standings = wanted.map((name) => stand(name, byName.get(name)));
  const states = standings.map(({ state }) => state);
  const verdict = states.includes("FAILED")
    ? "failed"
    : states.every((state) => state === "ACTIVE")
      ? "active"
      : "waiting";
  return { verdict, standings };
}

/** Judges map entries against those that are waited for; the front ends take them over by themselves. */
export function assessEntries(wanted: readonly string[], found: readonly LiveEntry[]): Assessment {
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  const standings = wanted.map((name): Standing => {
    const entry = byName.get(name);
    if (entry === undefined) return { name, state: "MISSING", reasons: ["there is no such entry yet"] };
    if (entry.state === "ACTIVE") return { name, state: entry.state, reasons: [] };
    return { name, state: entry.state, reasons: [`${entry.hostname} is not on every front end yet; it takes minutes`] };
  });
  return { verdict: standings.every(({ state }) => state === "ACTIVE") ? "active" : "waiting", standings };
}

function stand(name: string, certificate: LiveCertificate | undefined): Standing {
  if (certificate === undefined) return { name, state: "MISSING", reasons: ["there is no such certificate yet"] };
  const { state } = certificate;
  if (state === "ACTIVE") return { name, state, reasons: [] };
  const reasons = certificate.attempts
    .filter((attempt) => attempt.state !== "AUTHORIZED")
    .map(({ domain, state: progress, failureReason, details }) => {
      const remedy = failureReason === undefined ? "" : ` (${failureReason}): ${remedies[failureReason] ?? ""}`;
      return `${domain} is ${progress}${remedy}${details === undefined ? "" : ` - ${details}`}`;
    });
  if (certificate.issue !== undefined) reasons.push(`${certificate.issue.reason}: ${certificate.issue.details}`);
  return { name, state, reasons: state === "FAILED" ? [...reasons, startAnew] : reasons };
}
