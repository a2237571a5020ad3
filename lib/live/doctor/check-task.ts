import { orAborted } from "../../async/abort";
import { ServiceError } from "../../errors";
import type { CheckName } from "./check-names";
import { type CheckResult, type DoctorCheck, type DoctorFinding, doctorFinding } from "./model";

export interface CheckTask {
  readonly check: CheckName;
  readonly subject: string;
  readonly work: () => Promise<CheckResult>;
}

export function checkTask(check: CheckName, subject: string, work: CheckTask["work"]): CheckTask {
  return { check, subject, work };
}

export interface CheckTaskResult {
  readonly check: DoctorCheck;
  readonly findings: readonly DoctorFinding[];
}

/** Runs one check. A refusal or failure becomes a finding, and all other checks continue. */
export async function runCheckTask(
  { check, subject, work }: CheckTask,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<CheckTaskResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    signal.throwIfAborted();
    const { findings, unknown = [], notes = [] } = await orAborted(work(), AbortSignal.any([signal, timeout]));
    const outcome = findings.length > 0 ? "found" : unknown.length > 0 ? "unknown" : "passed";
    return { check: { check, subject, outcome, notes: [...unknown, ...notes] }, findings };
  } catch (error) {
    if (signal.aborted) return { check: { check, subject, outcome: "stopped", notes: [] }, findings: [] };
    if (timeout.aborted) {
      const note = `it took longer than ${timeoutMs / 1_000} s`;
      const findings = [doctorFinding("check-unanswered", subject, `${check} of ${subject}: ${note}`)];
      return { check: { check, subject, outcome: "unknown", notes: [note] }, findings };
    }
    if (!(error instanceof ServiceError)) throw error;
    const findings = [explain(check, subject, error)];
    return { check: { check, subject, outcome: "unknown", notes: [error.message] }, findings };
  }
}

/** Returns the value that was read, or the reason why it is unknown. For values that a check can do without. */
export async function orUnknown<Known>(
  work: Promise<Known>,
  what: string,
): Promise<{ readonly known?: Known; readonly unknown: readonly string[] }> {
  try {
    return { known: await work, unknown: [] };
  } catch (error) {
    // The user must change credentials that are not accepted, so this must not become a note.
    if (!(error instanceof ServiceError) || isOfCredentials(error.code)) throw error;
    return { unknown: [`${what}: ${error.message}`] };
  }
}

const permissionDenied = 7;

/** Texts by the codes of lib/google. All checks use the same words, so that the finding is reported once. */
const credentialsAre = {
  "credentials-missing": "application default credentials are missing",
  "credentials-refused": "the services of Google Cloud do not accept the application default credentials",
  "credentials-unreadable": "the application default credentials can't be read",
} as const;

function isOfCredentials(code: string): code is keyof typeof credentialsAre {
  return Object.hasOwn(credentialsAre, code);
}

function explain(check: CheckName, subject: string, error: ServiceError): DoctorFinding {
  const what = `${check} of ${subject}: ${error.message}`;
  const code = error.status === 401 ? "credentials-refused" : error.code;
  if (isOfCredentials(code)) {
    const command = "gcloud auth application-default login";
    return doctorFinding(code, "credentials", credentialsAre[code], { command });
  }
  if (/^(?:accessNotConfigured|SERVICE_DISABLED)$/.test(error.reason ?? "") || isDisabled(error.message)) {
    return doctorFinding("check-needs-api", subject, what);
  }
  const { code: ofCause } = (error.cause ?? {}) as { readonly code?: unknown };
  const denied = error.status === 403 || ofCause === permissionDenied;
  return doctorFinding(denied ? "check-denied" : "check-unanswered", subject, what);
}

/** The client of Certificate Manager returns only the message of an error. */
function isDisabled(message: string): boolean {
  return /\.googleapis\.com is disabled in project|has not been used in project|SERVICE_DISABLED/.test(message);
}
