import { InputError, ServiceError } from "../../../errors";
import type { ReportsCredentials } from "../../../google";
import { quote } from "../../../text/quote";
import type { Command, Invocation, Io } from "../../command";

/** Lists the options for the credentials that are used if no token is given. */
export const credentialOptions: NonNullable<Command["options"]> = [
  {
    flags: "--impersonate <email>",
    description: "administrator whom the service account impersonates, by domain-wide delegation",
  },
  {
    flags: "--service-account <email>",
    description: "service account for the requests; IAM Credentials signs for it, so no key is needed",
  },
];

/**
 * Returns the credentials that the options name; `undefined` if no option names credentials and none are needed.
 *
 * @param isNeeded whether the service requires a token and none was given
 * @throws InputError `credentials-ambiguous`, `email-malformed`, `service-account-missing`, or `token-missing` without
 * any credentials; ServiceError for credentials that cannot be used
 */
export async function credentialsFor(
  options: Invocation["options"],
  io: Io,
  isNeeded: boolean,
): Promise<ReportsCredentials | undefined> {
  const { impersonate, serviceAccount, tokenFile } = options as Readonly<Record<string, string | undefined>>;
  const isAsked = impersonate !== undefined || serviceAccount !== undefined;
  if (!isAsked && !isNeeded) return undefined;
  if (isAsked && tokenFile !== undefined) {
    const message = "--token-file and --impersonate or --service-account name two credentials; give one of them";
    throw new InputError("credentials-ambiguous", message);
  }
  checkEmail(impersonate, "--impersonate");
  checkEmail(serviceAccount, "--service-account");
  const { reportsCredentials } = require("../../../google") as typeof import("../../../google");
  const { GOOGLE_APPLICATION_CREDENTIALS, CLOUDSDK_AUTH_TOKEN_HOST, CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS } =
    io.env;
  try {
    return await reportsCredentials({
      now: io.now,
      signal: io.signal,
      ...given("subject", impersonate),
      ...given("serviceAccount", serviceAccount),
      ...given("keyFile", GOOGLE_APPLICATION_CREDENTIALS),
      ...given("tokenUrl", CLOUDSDK_AUTH_TOKEN_HOST),
      ...given("signingUrl", CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS),
    });
  } catch (error) {
    if (isAsked || !(error instanceof ServiceError) || error.code !== "credentials-missing") throw error;
    const message =
      "the reports service requires credentials; use --token-file, or set CERT_MIGRATION_ACCESS_TOKEN, with a token for the scope admin.reports.audit.readonly, or run 'gcloud auth application-default login --scopes=https://www.googleapis.com/auth/admin.reports.audit.readonly,https://www.googleapis.com/auth/cloud-platform'";
    throw new InputError("token-missing", message);
  }
}

/** Returns an object with the value. An empty variable counts as unset. */
function given<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string } {
  return value === undefined || value === "" ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}

function checkEmail(text: string | undefined, option: string): void {
  if (text === undefined || /^[^\s@/]+@[^\s@/]+$/.test(text)) return;
  throw new InputError(
    "email-malformed",
    `${option} ${quote(text)} is not an e-mail address; use one as in a@example.com`,
  );
}
