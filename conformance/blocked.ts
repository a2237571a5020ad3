/** Why a project can't run the suite; one finding ends the run. */
export type BlockedReason =
  | "permission-missing"
  | "api-disabled"
  | "quota-exceeded"
  | "organization-policy"
  | "billing-off"
  | "credentials-refused";

const remedies: Readonly<Record<BlockedReason, string>> = {
  "permission-missing": "grant the permissions that the run printed at its start",
  "api-disabled": "enable the API with 'gcloud services enable'",
  "quota-exceeded": "wait until the quota is free, or request a higher one",
  "organization-policy": "use a project that the policy exempts",
  "billing-off": "link a billing account to the project",
  "credentials-refused": "run 'gcloud auth application-default login'",
};

/** Ends a run: the project refuses what the suite needs. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
  readonly reason: BlockedReason;
  /** Id of the refused method. */
  readonly method: string;

  constructor(reason: BlockedReason, method: string, message: string) {
    super(`${method} was refused (${reason}): ${message}; ${remedies[reason]}, or leave it out with '--skip'`);
    this.reason = reason;
    this.method = method;
  }
}

/** Returns why a refusal ends the run; undefined for refusals of the request itself. */
export function blockedReasonOf(status: number, body: unknown): BlockedReason | undefined {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  const text = JSON.stringify(error ?? "");
  if (status === 401) return "credentials-refused";
  if (status === 429 || /"(?:quotaExceeded|rateLimitExceeded|QUOTA_EXCEEDED)"/.test(text)) return "quota-exceeded";
  if (/constraints\/|"conditionNotMet".*[Oo]rganization [Pp]olicy|ORG_POLICY/.test(text)) return "organization-policy";
  if (status !== 403) return undefined;
  if (/BILLING_DISABLED|billing to be enabled/i.test(text)) return "billing-off";
  if (/SERVICE_DISABLED|accessNotConfigured|has not been used in project/.test(text)) return "api-disabled";
  return "permission-missing";
}
