import { InputError } from "../../../errors";
import type { Finding } from "../../../findings/finding";
import { defined } from "../../../json/defined";
import { groupBy } from "../../../json/group-by";
import type { RehearsalResult } from "../../../rehearsal";
import type { Rehearsed } from "../../../report";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { writeWhole } from "../../files";
import * as load from "../../load";
import type { FoundResult } from "../../results";
import { jsonDocument } from "../../text";

/** Result with the seed that reproduces the same faults. */
export type SeededResult = RehearsalResult & { readonly seed: number; readonly rehearsed: Rehearsed };

type RehearsalJson = Omit<Partial<SeededResult>, "rotation" | "rollback"> &
  Pick<SeededResult, "steps" | "probes" | "failedHandshakes" | "seed"> & {
    readonly ok: boolean;
    readonly rotation: boolean | null;
    readonly rollback: boolean | null;
    readonly findings?: readonly Finding[];
  };

/**
 * Returns the contract of `--json`.
 *
 * @param refusal the error that prevented a requested file from being written; the result is then not ok, whatever the
 * rehearsal found
 */
export function rehearsalSummary(result: SeededResult, refusal: InputError | undefined): RehearsalJson {
  const {
    ok,
    stopped,
    steps,
    parts,
    probes,
    failedHandshakes,
    discarded,
    rotation = null,
    rollback = null,
    seed,
  } = result;
  const { clients, failures, acts, converged, destroyed, left, faultCounts, kills, imports, rehearsed, timeline } =
    result;
  const { days } = result;
  return {
    ok: ok && refusal === undefined,
    ...(stopped ? { stopped } : {}),
    steps,
    parts,
    probes,
    failedHandshakes,
    ...defined({ clients }),
    ...(discarded === 0 ? {} : { discarded }),
    rotation,
    rollback,
    ...defined({ days }),
    seed,
    destroyed,
    left,
    ...defined({ converged }),
    acts,
    failures,
    faultCounts,
    kills,
    imports,
    rehearsed,
    timeline,
    ...defined({ findings: refusal?.findings }),
  };
}

/** Returns the result for the formats of other tools: a check for each step, and for the whole rehearsal. */
export function rehearsalResult(result: SeededResult, refusal: InputError | undefined): FoundResult {
  const { ok, steps, failedHandshakes, probes } = result;
  const failure = (code: string, message: string, remedy: string): Finding => {
    return { code, severity: "error", subject: "", message, remedy };
  };
  const notReached = "run 'cert-migration rehearse --report report.html' and read the step in the report";
  return {
    ok: ok && refusal === undefined,
    summary: `${failedHandshakes} of ${probes} handshakes failed`,
    checks: [
      ...steps.map(({ number, name, ok: isGood, failedHandshakes: failed }) => ({
        name: `step ${number}: ${name}`,
        group: `step ${number}`,
        failure: isGood
          ? undefined
          : failure("rehearsal-step-failed", `step ${number}, ${name}: ${failed} handshakes failed`, notReached),
      })),
      {
        name: "the rehearsal reaches its end without a failed handshake",
        group: "rehearsal",
        failure: ok
          ? undefined
          : failure("rehearsal-failed", `${failedHandshakes} of ${probes} handshakes failed`, notReached),
      },
    ],
    findings: refusal?.findings ?? [],
  };
}

const mostFailureLines = 10;

/** Returns a line for each kind of failure: hostname, address and error, with the number and the first time. */
export function failureLines(failures: RehearsalResult["failures"]): readonly string[] {
  const alike = groupBy(
    failures,
    ({ hostname, address, error }) => `${hostname} at ${address ?? "no address"}: ${error}`,
  );
  const lines = [...alike].map(([what, [first, ...others]]) => {
    const count = others.length === 0 ? "" : `, and ${countOf(others.length, "time")} after that`;
    return `failed at ${first?.time} by the cloud's clock: ${what}${count}`;
  });
  const rest = lines.length - mostFailureLines;
  return rest <= 0 ? lines : [...lines.slice(0, mostFailureLines), `and ${rest} more kinds of failures, in the report`];
}

const wildcardLabel = "covered-by-wildcard.";

/**
 * Returns notes about names that are in no certificate. Clients cannot connect to a wildcard, so a name under it
 * replaces it. An added hostname must be new.
 *
 * @param added the name that is added after the eight steps
 */
export function standInNotes(hostnames: readonly string[], added: string | undefined): readonly string[] {
  const [first, ...others] = hostnames.filter((hostname) => hostname.startsWith(wildcardLabel));
  const more = others.length === 0 ? "" : `, and ${others.length} more likewise`;
  return [
    ...(first === undefined ? [] : [`${first} stands for *.${first.slice(wildcardLabel.length)}${more}`]),
    ...(added === undefined
      ? []
      : [`${added} exists only in the rehearsal, which adds this hostname to a certificate after the eight steps`]),
  ];
}

/**
 * Writes the file of `--report`: a page for people if the name ends with `.html`, otherwise the whole result as JSON.
 *
 * @returns the error if the file could not be written, otherwise an empty list: the result is printed in both cases
 */
export async function writeReport(
  file: string,
  result: SeededResult,
  { now }: Pick<Io, "now">,
): Promise<readonly InputError[]> {
  try {
    await writeWhole(file, file.endsWith(".html") ? pageOf(result, now()) : jsonDocument(result), { force: true });
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [new InputError(error.code, `--report: ${error.message}; the result of the rehearsal is printed here`)];
  }
}

function pageOf(result: SeededResult, generatedAt: Date): string {
  const { renderReport, titleOf } = load.report();
  const rehearsal = { source: "this rehearsal", result };
  return renderReport({ title: titleOf({ rehearsal }), generatedAt, rehearsal });
}
