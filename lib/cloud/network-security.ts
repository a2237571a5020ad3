import { ownDescription } from "../discovery";
import { parseLocatedName, replaceProject, writeLocation } from "../resource-names";
import {
  createLocatedOperations,
  locationOf,
  resourceHandlers,
  type TrustConfig,
  trustedCertificatesOf,
} from "./certificate-manager";
import { CloudError } from "./cloud-error";
import { type Call, type CloudService, invalidField, isJsonObject, type Json, textParameter } from "./front";
import type { ServiceOptions } from "./operations";
import { projectNumberOf } from "./projects";
import { indexBy } from "./state";
import type { ClientRequirement } from "./tls";

interface ServerTlsPolicy extends Json {
  readonly name: string;
}

interface ClientValidationSetting {
  readonly mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" | "REJECT_INVALID";
  /** Name of the trust config; undefined if certificates of clients are not validated. */
  readonly trustConfig: string | undefined;
}

export const networkSecurityPrefix = "//networksecurity.googleapis.com/";

const modes: readonly string[] = ["ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"];

/** Returns the name of a policy in a link, in any of the forms that clients send; undefined for any other text. */
export function serverTlsPolicyName(link: string): string | undefined {
  const name = link.replace(/^(?:https?:)?\/\/networksecurity\.googleapis\.com\/(?:v1\/)?/, "");
  return parseLocatedName(name)?.collection === "serverTlsPolicies" ? name : undefined;
}

/**
 * Returns how a load balancer validates clients by a policy; undefined for a policy of a service mesh, which no target
 * HTTPS proxy of a load balancer accepts.
 */
function clientValidationOf({ mtlsPolicy }: Json): ClientValidationSetting | undefined {
  if (!isJsonObject(mtlsPolicy)) return undefined;
  const { clientValidationMode: mode, clientValidationTrustConfig } = mtlsPolicy;
  if (mode !== "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" && mode !== "REJECT_INVALID") return undefined;
  const trustConfig = typeof clientValidationTrustConfig === "string" ? clientValidationTrustConfig : "";
  return { mode, trustConfig: trustConfig === "" ? undefined : trustConfig };
}

/** Checks a policy. @param hasTrustConfig takes names with a project ID or number @throws CloudError */
function checkServerTlsPolicy(policy: ServerTlsPolicy, hasTrustConfig: (name: string) => boolean): void {
  const { mtlsPolicy } = policy;
  if (!isJsonObject(mtlsPolicy)) return;
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
    throw invalidField(field, `'${trustConfig}' is not in ${writeLocation({ project, location })}`);
  if (!hasTrustConfig(trustConfig)) throw new CloudError("NOT_FOUND", `Resource '${trustConfig}' was not found`);
}

/** Returns a policy as the service stores it: the name of the trust config contains the number of the project. */
function normalizePolicy<Policy extends Json>(policy: Policy): Policy {
  const { mtlsPolicy } = policy;
  if (!isJsonObject(mtlsPolicy) || typeof mtlsPolicy.clientValidationTrustConfig !== "string") return policy;
  const clientValidationTrustConfig = withProjectNumber(mtlsPolicy.clientValidationTrustConfig);
  return { ...policy, mtlsPolicy: { ...mtlsPolicy, clientValidationTrustConfig } };
}

/** Returns a name with the number of its project in place of the ID, so that both spellings can be compared. */
function withProjectNumber(name: string): string {
  return replaceProject(name, projectNumberOf);
}

interface NetworkSecurityOptions extends ServiceOptions {
  readonly trustConfigs: () => Iterable<TrustConfig>;
  readonly proxiesUsing: (policy: string) => readonly string[];
  readonly onChange: () => void;
}

/** Network Security, as far as load balancers use it for mutual TLS. */
export interface NetworkSecurity {
  readonly service: CloudService;
  /** Returns the policy of a name, which may contain the project's ID or number. */
  policy(name: string): ServerTlsPolicy | undefined;
  policiesUsing(trustConfig: string): readonly string[];
  /**
   * Returns what a policy requires of clients; undefined if it requests no client certificate. Without `trustAnchors`,
   * the policy validates nothing.
   */
  requirementOf(policy: string): ClientRequirement | undefined;
}

/** Emulates the server TLS policies of Network Security v1. */
export function createNetworkSecurity(options: NetworkSecurityOptions): NetworkSecurity {
  const { store, clock, onChange } = options;
  const items = store.collection<ServerTlsPolicy>("networksecurity.serverTlsPolicies");
  const byNumber = indexBy(items, ({ name }) => [withProjectNumber(name)]);
  const byTrustConfig = indexBy(items, (policy) => {
    const trustConfig = clientValidationOf(policy)?.trustConfig;
    return trustConfig === undefined ? [] : [withProjectNumber(trustConfig)];
  });
  const operations = createLocatedOperations({ store, clock, operationMs: options.operationMs }, "networksecurity");
  const failOperation = (methodId: string, call: Call) => {
    const policy = methodId.endsWith(".patch") ? items.get(textParameter(call, "name")) : undefined;
    const isFixed = policy !== undefined && clientValidationOf(policy) !== undefined;
    return isFixed ? updateRefused() : options.failOperation?.(methodId, call);
  };
  const context = { clock, operations, onChange, failOperation };
  const trustConfigOf = (name: string) => {
    const wanted = withProjectNumber(name);
    return [...options.trustConfigs()].find((config) => withProjectNumber(config.name) === wanted);
  };
  const check = (policy: ServerTlsPolicy) => checkServerTlsPolicy(policy, (name) => trustConfigOf(name) !== undefined);
  const policyOf = (name: string) => byNumber(withProjectNumber(name))[0];
  return {
    service: {
      description: ownDescription("networksecurity:v1"),
      errors: "status",
      handlers: resourceHandlers<ServerTlsPolicy>(
        context,
        { service: "networksecurity", collection: "serverTlsPolicies", schema: "ServerTlsPolicy", items },
        {
          create: (call, name) => {
            const policy = { ...call.body, name };
            check(policy);
            return (stamp) => items.set(name, { ...normalizePolicy(policy), ...stamp });
          },
          mutable: ["description", "labels", "allowOpen", "serverCertificate", "mtlsPolicy"],
          patch: (after) => {
            check(after);
            return { after: normalizePolicy(after) };
          },
          usersOf: options.proxiesUsing,
        },
      ),
    },
    policy: policyOf,
    policiesUsing: (trustConfig) => byTrustConfig(withProjectNumber(trustConfig)).map(({ name }) => name),
    requirementOf: (name) => {
      const policy = policyOf(name);
      const setting = policy === undefined ? undefined : clientValidationOf(policy);
      if (setting === undefined) return undefined;
      const trustConfig = setting.trustConfig === undefined ? undefined : trustConfigOf(setting.trustConfig);
      return {
        rejectsInvalid: setting.mode === "REJECT_INVALID",
        ...(trustConfig === undefined ? {} : trustedCertificatesOf(trustConfig)),
      };
    },
  };
}

/** The words of the service: a policy with a mode for the validation of clients has no field that can change. */
function updateRefused(): CloudError {
  return new CloudError("FAILED_PRECONDITION", "Update not supported for ServerTlsPolicy created for Load Balancer");
}
