import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allCodes } from "../../lib/explain/codes";
import type { ListedCode } from "../../lib/explain/tables";
import { tableOf, withTables } from "./markdown";

/** Messages of other programs, and the code under which the commands report the same problem. */
interface Symptom {
  /** Texts to search for, as the program prints them. */
  readonly messages: readonly string[];
  readonly code: ListedCode;
}

/** Messages of browsers, curl, OpenSSL and Node, with the codes of `verify` and `watch`. */
const clients: readonly Symptom[] = [
  {
    messages: ["ERR_CERT_COMMON_NAME_INVALID", "no alternative certificate subject name matches"],
    code: "name-mismatch",
  },
  { messages: ["ERR_CERT_DATE_INVALID", "certificate has expired"], code: "certificate-expired" },
  { messages: ["certificate is not yet valid"], code: "certificate-not-yet-valid" },
  { messages: ["unable to get local issuer certificate", "ERR_CERT_AUTHORITY_INVALID"], code: "chain-incomplete" },
  { messages: ["self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"], code: "self-signed" },
  { messages: ["ERR_SSL_UNRECOGNIZED_NAME_ALERT", "alert handshake failure"], code: "handshake-refused" },
  { messages: ["ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "alert protocol version"], code: "protocol-refused" },
  { messages: ["ERR_SSL_PROTOCOL_ERROR", "wrong version number"], code: "plaintext-answer" },
  { messages: ["ERR_BAD_SSL_CLIENT_AUTH_CERT", "alert certificate required"], code: "client-certificate-required" },
  { messages: ["ERR_CONNECTION_REFUSED", "ECONNREFUSED"], code: "connection-refused" },
  { messages: ["ERR_CONNECTION_RESET", "ECONNRESET"], code: "connection-reset" },
  { messages: ["ERR_CONNECTION_TIMED_OUT", "ETIMEDOUT"], code: "timeout" },
  { messages: ["ERR_NAME_NOT_RESOLVED", "NXDOMAIN"], code: "dns-no-address" },
  { messages: ["SERVFAIL"], code: "dns-failed" },
];

/** States and reasons that Certificate Manager shows for a managed certificate, with the codes of `wait`. */
const states: readonly Symptom[] = [
  { messages: ["PROVISIONING"], code: "certificate-provisioning" },
  { messages: ["FAILED"], code: "certificate-failed" },
  { messages: ["AUTHORIZING"], code: "domain-authorizing" },
  { messages: ["CONFIG"], code: "domain-config" },
  { messages: ["CAA"], code: "domain-caa" },
  { messages: ["RATE_LIMITED"], code: "domain-rate-limited" },
  { messages: ["AUTHORIZATION_ISSUE"], code: "issuance-authorization" },
];

/** Errors of Google's APIs, as Terraform, gcloud and the commands print them. */
const services: readonly Symptom[] = [
  { messages: ["could not find default credentials"], code: "credentials-missing" },
  { messages: ["invalid_grant", "UNAUTHENTICATED"], code: "credentials-refused" },
  { messages: ["PERMISSION_DENIED", "The caller does not have permission"], code: "permission-missing" },
  { messages: ["SERVICE_DISABLED", "API has not been used in project"], code: "api-disabled" },
  { messages: ["BILLING_DISABLED"], code: "billing-off" },
  { messages: ["RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"], code: "quota-exceeded" },
];

export const symptoms: readonly Symptom[] = [...clients, ...states, ...services];

function rowOf({ messages, code }: Symptom): readonly string[] {
  const known = allCodes().filter((explained) => explained.code === code);
  const [first] = known;
  if (first === undefined) throw new Error(`no code '${code}'`);
  return [messages.map((message) => `\`${message}\``).join(", "), `\`${code}\``, first.remedy];
}

const table = (rows: readonly Symptom[]) => tableOf(["Message", "Code", "What to do"], rows.map(rowOf));

/** Returns docs/change-window.md with its tables. */
export function troubleshootingPage(): string {
  return withTables(readFileSync(join(__dirname, "..", "change-window.md"), "utf8"), {
    states: table(states),
    services: table(services),
    clients: table(clients),
  });
}
