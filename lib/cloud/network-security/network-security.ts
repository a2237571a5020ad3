import { ownDescription } from "../../discovery";
import {
  createHandler,
  createOperations,
  deleteHandler,
  patchHandler,
  readHandlers,
  type TrustConfig,
  trustedCertificatesOf,
} from "../certificate-manager";
import { CloudError } from "../cloud-error";
import { type Call, type CloudService, textParameter } from "../front";
import type { OperationTime } from "../operation-time";
import { type Clock, groupBy, type Store } from "../state";
import type { ClientRequirement } from "../tls";
import {
  checkServerTlsPolicy,
  clientValidationOf,
  normalizePolicy,
  type ServerTlsPolicy,
  serverTlsPolicyFields,
  withProjectNumber,
} from "./server-tls-policies";

export interface NetworkSecurityOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Duration of operations, in milliseconds of the cloud's time. */
  readonly operationMs: OperationTime;
  /** Returns all trust configs of Certificate Manager. */
  readonly trustConfigs: () => Iterable<TrustConfig>;
  /** Returns the links of the proxies that use a policy. */
  readonly proxiesUsing: (policy: string) => readonly string[];
  /** Returns an error that makes an operation fail; nothing changes then. */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
  /** Called when data that load balancers serve have changed. */
  readonly onChange: () => void;
}

/** Network Security, as far as load balancers use it for mutual TLS. */
export interface NetworkSecurity {
  readonly service: CloudService;
  /** Returns the policy of a name, which may contain the project's ID or number. */
  policy(name: string): ServerTlsPolicy | undefined;
  /** Returns the policies that use a trust config. */
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
  const byNumber = groupBy(items, ({ name }) => [withProjectNumber(name)]);
  const byTrustConfig = groupBy(items, (policy) => {
    const trustConfig = clientValidationOf(policy)?.trustConfig;
    return trustConfig === undefined ? [] : [withProjectNumber(trustConfig)];
  });
  const operations = createOperations(store, clock, options.operationMs, "networksecurity");
  const failOperation = (methodId: string, call: Call) => {
    const policy = methodId.endsWith(".patch") ? items.get(textParameter(call, "name")) : undefined;
    const isFixed = policy !== undefined && clientValidationOf(policy) !== undefined;
    return isFixed ? updateRefused() : options.failOperation?.(methodId, call);
  };
  const context = { clock, operations, onChange, failOperation };
  const kind = {
    service: "networksecurity",
    collection: "serverTlsPolicies",
    path: "serverTlsPolicies",
    schema: "ServerTlsPolicy",
    items,
  } as const;
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
      handlers: new Map([
        createHandler(kind, context, "serverTlsPolicyId", (call, name) => {
          const policy = { ...call.body, name };
          check(policy);
          return (stamp) => items.set(name, { ...normalizePolicy(policy), ...stamp });
        }),
        ...readHandlers(kind),
        patchHandler(kind, context, serverTlsPolicyFields, (after) => {
          check(after);
          return { after: normalizePolicy(after) };
        }),
        deleteHandler(kind, context, options.proxiesUsing),
      ]),
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
