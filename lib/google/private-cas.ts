import { ServiceError } from "../errors";
import { fieldsOf, isFields, textsOf } from "../json/fields";
import { lastPart, withoutLastParts, writeProject } from "../resource-names";
import { type JsonObject, objectsOf, type RestApi, restText } from "./rest";

/** A CA pool of CA Service. */
export interface LiveCaPool {
  readonly name: string;
  /** `ENTERPRISE` or `DEVOPS`. */
  readonly tier: string;
  /** The issuance policy as the service returns it; untrusted. Empty if the pool has none. */
  readonly issuancePolicy: JsonObject;
}

/** A CA in a pool. */
export interface LiveAuthority {
  readonly name: string;
  /** For example `ENABLED`, `DISABLED`, `STAGED`, `AWAITING_USER_ACTIVATION` or `DELETED`. */
  readonly state: string;
  /** Certificates in PEM, of the CA first and of its root last. */
  readonly chainPem: readonly string[];
}

/** A role with its members in an IAM policy. */
export interface RoleBinding {
  /** For example `roles/privateca.certificateRequester`. */
  readonly role: string;
  /** For example `serviceAccount:EMAIL`. */
  readonly members: readonly string[];
  /** Whether the binding has a condition, so that its role may not apply. */
  readonly isConditional: boolean;
}

/** An issuance config of Certificate Manager. */
export interface LiveIssuanceConfig {
  readonly name: string;
  readonly caPool: string;
  readonly lifetime: string;
  /** `RSA_2048` or `ECDSA_P256`. */
  readonly keyAlgorithm: string;
}

/** Reads the service agents of projects, and their roles. */
interface ServiceAgentReader {
  /** Returns the IAM policy of a project. Needs `resourcemanager.projects.getIamPolicy`. */
  bindings(project: string, signal: AbortSignal): Promise<readonly RoleBinding[]>;
  /** Returns the number of a project. Needs `resourcemanager.projects.get`. */
  number(project: string, signal: AbortSignal): Promise<string>;
}

/** Reads what certificates of private CAs depend on. Every method throws ServiceError. */
export interface PrivateCaReader {
  /** Returns a pool; undefined if it does not exist. Needs `privateca.caPools.get`. */
  pool(name: string, signal: AbortSignal): Promise<LiveCaPool | undefined>;
  /** Returns the names of the pools in `projects/P/locations/L`. Needs `privateca.caPools.list`. */
  poolsIn(parent: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the CAs of a pool. Needs `privateca.certificateAuthorities.list`. */
  authorities(pool: string, signal: AbortSignal): Promise<readonly LiveAuthority[]>;
  /** Returns the IAM policy of a pool. Needs `privateca.caPools.getIamPolicy`. */
  bindings(pool: string, signal: AbortSignal): Promise<readonly RoleBinding[]>;
  readonly projects: ServiceAgentReader;
  /**
   * Returns the chains of all CAs of a pool that are not deleted, each with the CA's own certificate first and its root
   * last, in PEM. Needs `privateca.caPools.get`.
   */
  chains(pool: string, signal: AbortSignal): Promise<readonly (readonly string[])[]>;
  /** Returns an issuance config; undefined if it does not exist. Needs `certificatemanager.certissuanceconfigs.get`. */
  issuanceConfig(name: string, signal: AbortSignal): Promise<LiveIssuanceConfig | undefined>;
  /** Lists the issuance configs in `projects/P/locations/L`. Needs `certificatemanager.certissuanceconfigs.list`. */
  issuanceConfigs(parent: string, signal: AbortSignal): Promise<readonly LiveIssuanceConfig[]>;
}

function serviceAgentReader(api: RestApi): ServiceAgentReader {
  return {
    bindings: async (project, signal) =>
      bindingsIn(
        await api.call({
          method: "cloudresourcemanager.projects.getIamPolicy",
          parameters: { resource: writeProject(project) },
          body: {},
          purpose: `reading the IAM policy of project ${project}`,
          signal,
        }),
      ),
    number: async (project, signal) => {
      const { name } = await api.call({
        method: "cloudresourcemanager.projects.get",
        parameters: { name: writeProject(project) },
        purpose: `reading ${writeProject(project)}`,
        signal,
      });
      return lastPart(restText(name));
    },
  };
}

/** Creates a reader for CA pools of CA Service and their issuance configs. */
export function privateCaReader(api: RestApi): PrivateCaReader {
  const readAt = (method: string, parameter: string, name: string, signal: AbortSignal, purpose = `reading ${name}`) =>
    api.call({ method, parameters: { [parameter]: name }, purpose, signal });
  const listIn = (parent: string, what: string, method: string, signal: AbortSignal) => {
    const field = method.split(".").at(-2) ?? "";
    return api.list({ method, parameters: { parent }, purpose: `listing the ${what} of ${parent}`, signal }, field);
  };
  return {
    pool: async (name, signal) => {
      const found = await unlessMissing(readAt("privateca.projects.locations.caPools.get", "name", name, signal));
      if (found === undefined) return undefined;
      return { name, tier: restText(found.tier), issuancePolicy: fieldsOf(found.issuancePolicy) };
    },
    poolsIn: async (parent, signal) => {
      const items = await listIn(parent, "CA pools", "privateca.projects.locations.caPools.list", signal);
      return items.map(({ name }) => `${parent}/caPools/${lastPart(restText(name))}`);
    },
    authorities: async (pool, signal) => {
      const method = "privateca.projects.locations.caPools.certificateAuthorities.list";
      const items = await listIn(pool, "CAs", method, signal);
      return items.map(({ name, state, pemCaCertificates }) => ({
        name: `${pool}/certificateAuthorities/${lastPart(restText(name))}`,
        state: restText(state),
        chainPem: textsOf(pemCaCertificates),
      }));
    },
    bindings: async (pool, signal) => {
      const method = "privateca.projects.locations.caPools.getIamPolicy";
      return bindingsIn(await readAt(method, "resource", pool, signal, `reading the IAM policy of ${pool}`));
    },
    projects: serviceAgentReader(api),
    chains: async (pool, signal) => {
      const { caCerts } = await api.call({
        method: "privateca.projects.locations.caPools.fetchCaCerts",
        parameters: { caPool: pool },
        body: {},
        purpose: `reading the CA certificates of ${pool}`,
        signal,
      });
      return objectsOf(caCerts).map(({ certificates }) => textsOf(certificates));
    },
    issuanceConfig: async (name, signal) => {
      const found = await unlessMissing(
        readAt("certificatemanager.projects.locations.certificateIssuanceConfigs.get", "name", name, signal),
      );
      return found === undefined ? undefined : describeConfig(withoutLastParts(name, 2), found);
    },
    issuanceConfigs: async (parent, signal) => {
      const method = "certificatemanager.projects.locations.certificateIssuanceConfigs.list";
      const items = await listIn(parent, "issuance configs", method, signal);
      return items.map((item) => describeConfig(parent, item));
    },
  };
}

async function unlessMissing(asking: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** @param parent of the request: the service may write the project's number into names */
function describeConfig(parent: string, config: JsonObject): LiveIssuanceConfig {
  const { name, certificateAuthorityConfig: authority, lifetime, keyAlgorithm } = config;
  return {
    name: `${parent}/certificateIssuanceConfigs/${lastPart(restText(name))}`,
    caPool: restText(fieldsOf(fieldsOf(authority).certificateAuthorityServiceConfig).caPool),
    lifetime: restText(lifetime),
    keyAlgorithm: restText(keyAlgorithm),
  };
}

function bindingsIn({ bindings }: JsonObject): readonly RoleBinding[] {
  return objectsOf(bindings).map(({ role, members, condition }) => ({
    role: restText(role),
    members: textsOf(members),
    isConditional: isFields(condition),
  }));
}
