import { parseLocatedName } from "../../resource-names";
import { locationOf } from "../certificate-manager";
import { CloudError } from "../cloud-error";
import { invalidField, isObject, type Json } from "../front";
import { projectNumberOf } from "../project-number";

/** A server TLS policy as the API returns it. */
export interface ServerTlsPolicy extends Json {
  readonly name: string;
}

/** The part of a policy that load balancers use. */
export interface ClientValidationSetting {
  readonly mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" | "REJECT_INVALID";
  /** Name of the trust config; undefined if certificates of clients are not validated. */
  readonly trustConfig: string | undefined;
}

/** Prefix of names of Network Security in fields of other services. */
export const networkSecurityPrefix = "//networksecurity.googleapis.com/";

/** Fields that a patch may change. */
export const serverTlsPolicyFields = ["description", "labels", "allowOpen", "serverCertificate", "mtlsPolicy"] as const;

const modes: readonly string[] = ["ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"];

/**
 * Returns the name of a policy in a link, in any of the forms that clients send; undefined for any other text.
 *
 * @returns for example `projects/p1/locations/global/serverTlsPolicies/t1`
 */
export function serverTlsPolicyName(link: string): string | undefined {
  const name = link.replace(/^(?:https?:)?\/\/networksecurity\.googleapis\.com\/(?:v1\/)?/, "");
  return parseLocatedName(name)?.collection === "serverTlsPolicies" ? name : undefined;
}

/**
 * Returns how a load balancer validates clients by a policy; undefined for a policy of a service mesh, which no target
 * HTTPS proxy of a load balancer accepts.
 */
export function clientValidationOf({ mtlsPolicy }: Json): ClientValidationSetting | undefined {
  if (!isObject(mtlsPolicy)) return undefined;
  const { clientValidationMode: mode, clientValidationTrustConfig } = mtlsPolicy;
  if (mode !== "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" && mode !== "REJECT_INVALID") return undefined;
  const trustConfig = typeof clientValidationTrustConfig === "string" ? clientValidationTrustConfig : "";
  return { mode, trustConfig: trustConfig === "" ? undefined : trustConfig };
}

/**
 * Checks a whole policy.
 *
 * @param hasTrustConfig returns whether a trust config exists, by its name with a project ID or a project number
 * @throws CloudError for a policy that the service rejects
 */
export function checkServerTlsPolicy(policy: ServerTlsPolicy, hasTrustConfig: (name: string) => boolean): void {
  const { mtlsPolicy } = policy;
  if (!isObject(mtlsPolicy)) return;
  const { clientValidationMode: mode, clientValidationCa, clientValidationTrustConfig: trustConfig } = mtlsPolicy;
  const field = "server_tls_policy.mtls_policy";
  if (typeof mode === "string" && modes.includes(mode)) {
    if (Array.isArray(clientValidationCa) && clientValidationCa.length > 0)
      throw invalidField(`${field}.client_validation_ca`, "has to be empty with a client_validation_mode");
    if (policy.allowOpen === true)
      throw invalidField("server_tls_policy.allow_open", "has to be false with a client_validation_mode");
  }
  if (typeof trustConfig !== "string" || trustConfig === "") {
    if (mode === "REJECT_INVALID")
      throw invalidField(`${field}.client_validation_trust_config`, "is required with REJECT_INVALID");
    return;
  }
  checkTrustConfig(policy.name, trustConfig, `${field}.client_validation_trust_config`, hasTrustConfig);
}

function checkTrustConfig(
  policy: string,
  trustConfig: string,
  field: string,
  hasTrustConfig: (name: string) => boolean,
): void {
  const parts = parseLocatedName(trustConfig);
  const { project, location } = locationOf(policy);
  if (parts?.collection !== "trustConfigs")
    throw invalidField(
      field,
      `'${trustConfig.slice(0, 300)}' is not projects/PROJECT/locations/LOCATION/trustConfigs/NAME`,
    );
  if (parts.location !== location || projectNumberOf(parts.project) !== projectNumberOf(project))
    throw invalidField(field, `'${trustConfig}' is not in projects/${project}/locations/${location}`);
  if (!hasTrustConfig(trustConfig)) throw new CloudError("NOT_FOUND", `Resource '${trustConfig}' was not found`);
}

/** Returns a policy as the service stores it: the name of the trust config contains the number of the project. */
export function normalizePolicy<Policy extends Json>(policy: Policy): Policy {
  const { mtlsPolicy } = policy;
  if (!isObject(mtlsPolicy) || typeof mtlsPolicy.clientValidationTrustConfig !== "string") return policy;
  const clientValidationTrustConfig = withProjectNumber(mtlsPolicy.clientValidationTrustConfig);
  return { ...policy, mtlsPolicy: { ...mtlsPolicy, clientValidationTrustConfig } };
}

/** Returns a name with the number of its project in place of the ID, so that both spellings can be compared. */
export function withProjectNumber(name: string): string {
  return name.replace(/^projects\/([^/]+)/, (_, project: string) => `projects/${projectNumberOf(project)}`);
}
