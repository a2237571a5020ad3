import { ownDescription } from "../../discovery";
import {
  durationMs,
  type IssuancePolicy,
  type LeafRequest,
  limitedLifetimeMs,
  refusalOfPolicy,
} from "../../issuance-policy";
import { projectIn, withoutLastParts } from "../../resource-names";
import { issueUnder, type PrivateRoot } from "../certificate-authority";
import {
  createLocatedOperations,
  type IssuedCertificate,
  type ResourceContext,
  resourceErrors,
  resourceHandlers,
} from "../certificate-manager";
import { CloudError, foundOrThrow } from "../cloud-error";
import {
  type Call,
  type CloudService,
  type Handler,
  type Handlers,
  invalidField,
  type Json,
  textParameter,
} from "../front";
import type { ServiceOptions } from "../operations";
import { permissionsIn } from "../projects";
import type { Collection } from "../state";
import {
  type CaState,
  type CertificateAuthority,
  checkNewAuthority,
  gracePeriodMs,
  leafKeys,
  leafValidity,
  makeRootOf,
  newAuthority,
} from "./certificate-authorities";

interface PrivateCasOptions extends ServiceOptions {
  /** Returns whether a fault disables a CA. */
  readonly isDisabled: (authority: string) => boolean;
  /** Returns whether a fault prevents an issuance by a CA; each call counts as an effect of the fault. */
  readonly refusesIssuance: (authority: string) => boolean;
  /** Returns the bindings in the IAM policy of a project; undefined if no roles are enforced there. */
  readonly bindingsOf?: (project: string) => readonly RoleBinding[] | undefined;
  /** Returns the names of the issuance configs that refer to a pool. @default - none */
  readonly configsUsing?: (pool: string) => readonly string[];
}

interface RoleBinding {
  readonly role: string;
  readonly members: readonly string[];
}

interface CaPool extends Json {
  readonly name: string;
  readonly tier: string;
  readonly issuancePolicy?: IssuancePolicy;
}

const prefix = "privateca.projects.locations.caPools";

/**
 * Predefined roles with `privateca.certificates.create` (https://cloud.google.com/iam/docs/roles-
 * permissions/privateca).
 */
const requestingRoles: ReadonlySet<string> = new Set([
  "roles/privateca.admin",
  "roles/privateca.certificateManager",
  "roles/privateca.certificateRequester",
]);

const serviceAgent = /^serviceAccount:service-\d+@gcp-sa-certificatemanager\.iam\.gserviceaccount\.com$/;

/**
 * Emulates CA Service v1, as far as Certificate Manager needs it: pools with issuance policies and tiers, and root CAs.
 * Unless the IAM policy of a pool's project is stated, every caller may request certificates.
 */
export class PrivateCas {
  readonly service: CloudService;
  readonly #options: PrivateCasOptions;
  readonly #pools: Collection<CaPool>;
  readonly #authorities: Collection<CertificateAuthority>;
  readonly #roots: Collection<PrivateRoot>;
  readonly #policies: Collection<Json>;

  constructor(options: PrivateCasOptions) {
    this.#options = options;
    const { store, clock, operationMs } = options;
    this.#pools = store.collection("privateca.caPools");
    this.#authorities = store.collection("privateca.certificateAuthorities");
    this.#roots = store.collection("privateca.roots");
    this.#policies = store.collection("privateca.iamPolicies");
    const operations = createLocatedOperations({ store, clock, operationMs }, "privateca");
    const context: ResourceContext = { ...options, operations, onChange: () => undefined };
    this.service = {
      description: ownDescription("privateca:v1"),
      errors: "status",
      handlers: {
        ...this.#poolHandlers(context),
        ...this.#iamHandlers(),
        ...this.#authorityHandlers(context),
        ...this.#stateHandlers(context),
      },
    };
  }

  hasPool(name: string): boolean {
    return this.#pools.has(name);
  }

  /** Returns the roots of all CAs that are not deleted, in PEM. */
  trustBundlePem(): string {
    return [...this.#authorities.values()].flatMap(({ name }) => this.#find(name)?.pemCaCertificates ?? []).join("");
  }

  /**
   * Issues a certificate from a pool. Returns a refusal if the pool is missing, if Certificate Manager's service agent
   * may not request certificates, if the pool has no enabled CA, or if its policy refuses.
   */
  async issue(
    pool: string,
    request: LeafRequest & { readonly lifetimeMs: number },
  ): Promise<IssuedCertificate | { readonly refusal: string }> {
    const found = this.#pools.get(pool);
    if (found === undefined) return refused(`the CA pool ${pool} does not exist`);
    if (!this.#mayRequest(pool)) return refused(`the service agent may not request certificates from ${pool}`);
    const authorities = this.#authoritiesOf(pool);
    const enabled = authorities.find(({ name, state }) => state === "ENABLED" && !this.#options.refusesIssuance(name));
    const root = enabled === undefined ? undefined : this.#roots.get(enabled.name);
    if (root === undefined) {
      const states = authorities.map(({ name, state }) => `${name} is ${this.#stateOf(name, state)}`);
      return refused(
        `the CA pool ${pool} has no enabled CA: ${states.length === 0 ? "it is empty" : states.join(", ")}`,
      );
    }
    const policy = found.issuancePolicy ?? {};
    const refusal = refusalOfPolicy(policy, request);
    if (refusal !== undefined) return refused(`the CA pool ${pool} refuses the certificate: ${refusal}`);
    return issueUnder(root, {
      names: request.dnsNames,
      publicKeyAlgorithm: leafKeys[request.keyAlgorithm],
      ...leafValidity(this.#options.clock, limitedLifetimeMs(policy, request.lifetimeMs)),
    });
  }

  /**
   * Whether the service agent of Certificate Manager has a role on a pool or its project, if roles are enforced there.
   */
  #mayRequest(pool: string): boolean {
    const ofProject = this.#options.bindingsOf?.(projectIn(pool) ?? "");
    if (ofProject === undefined) return true;
    const ofPool = (this.#policies.get(pool)?.bindings ?? []) as readonly RoleBinding[];
    return [...ofProject, ...ofPool].some(
      ({ role, members }) => requestingRoles.has(role) && members.some((member) => serviceAgent.test(member)),
    );
  }

  #poolHandlers(context: ResourceContext): Handlers {
    const items = this.#pools;
    const authoritiesIn = (pool: string) => this.#authoritiesOf(pool).filter(({ state }) => state !== "DELETED");
    return {
      ...resourceHandlers<CaPool>(
        context,
        { service: "privateca", collection: "caPools", schema: "CaPool", items },
        {
          create: ({ body }, name) => {
            const { tier } = body;
            if (name.includes("/locations/global/")) throw invalidField("parent", "CA pools are regional");
            if (tier !== "ENTERPRISE" && tier !== "DEVOPS") throw invalidField("ca_pool.tier", "is required");
            checkPolicy(body);
            return () => items.set(name, { ...body, name, tier });
          },
          serve: ({ updateTime: _, ...pool }) => pool,
          mutable: ["issuancePolicy", "labels", "publishingOptions"],
          patch: ({ updateTime: _, ...after }) => {
            checkPolicy(after);
            return { after: after as CaPool };
          },
          usersOf: (name, call) => {
            // A CA counts until the end of its deletion period.
            const inside = this.#authoritiesOf(name).flatMap((authority) => this.#find(authority.name)?.name ?? []);
            if (inside.length > 0) throw new CloudError("FAILED_PRECONDITION", `The CaPool ${name} has CAs: ${inside}`);
            return this.#dependentsOf(name, call);
          },
        },
      ),
      [`${prefix}.fetchCaCerts`]: (call) => {
        const name = textParameter(call, "caPool");
        if (!items.has(name)) throw resourceErrors.notFound(name);
        return { caCerts: authoritiesIn(name).map(({ pemCaCertificates: certificates }) => ({ certificates })) };
      },
    };
  }

  #iamHandlers(): Handlers {
    const policyOf = (call: Call): { readonly name: string; readonly policy: Json } => {
      const name = textParameter(call, "resource");
      if (!this.#pools.has(name)) throw resourceErrors.notFound(name);
      return { name, policy: this.#policies.get(name) ?? { version: 1, etag: "ACAB" } };
    };
    return {
      [`${prefix}.getIamPolicy`]: (call) => policyOf(call).policy,
      [`${prefix}.setIamPolicy`]: (call) => {
        const { name } = policyOf(call);
        const policy = { version: 1, ...(call.body.policy as Json | undefined), etag: `${Date.now()}`.slice(-8) };
        this.#policies.set(name, policy);
        return policy;
      },
      [`${prefix}.testIamPermissions`]: (call) => {
        const permissions = permissionsIn(call);
        return { permissions: this.#pools.has(textParameter(call, "resource")) ? permissions : [] };
      },
    };
  }

  #authorityHandlers(context: ResourceContext): Handlers {
    const items = this.#authorities;
    const roots = new WeakMap<Call, PrivateRoot>();
    const checkPool = (pool: string) => {
      if (!pool.includes("/-") && !this.#pools.has(pool)) throw resourceErrors.notFound(pool);
    };
    const createId = `${prefix}.certificateAuthorities.create`;
    const { [createId]: create, ...handlers } = resourceHandlers<CertificateAuthority>(
      context,
      {
        service: "privateca",
        collection: "certificateAuthorities",
        path: "caPools.certificateAuthorities",
        schema: "CertificateAuthority",
        items,
      },
      {
        create: (call, name) => {
          const root = roots.get(call);
          if (root === undefined) throw new TypeError("the root of a new CA is made before the CA");
          const tier = this.#pools.get(textParameter(call, "parent"))?.tier;
          return (stamp) => {
            this.#roots.set(name, root);
            items.set(name, { ...newAuthority(call, name, tier, root.certificatePem), ...stamp });
          };
        },
        serve: (authority) => ({ ...authority, state: this.#stateOf(authority.name, authority.state) }),
        checkParent: checkPool,
        mutable: ["labels", "userDefinedAccessUrls"],
        patch: (after, { name, state }) => {
          if (state === "ENABLED" || state === "STAGED") return { after };
          throw new CloudError(
            "FAILED_PRECONDITION",
            `the CertificateAuthority ${name} is ${state}: it can't be updated`,
          );
        },
      },
    );
    return {
      ...handlers,
      [createId]: async (call) => {
        checkPool(textParameter(call, "parent"));
        checkNewAuthority(call);
        roots.set(call, await makeRootOf(call.body, this.#options.clock));
        return create?.(call);
      },
    };
  }

  #stateHandlers({ clock, operations, failOperation }: ResourceContext): Handlers {
    const move = (
      from: readonly CaState[],
      change: (found: CertificateAuthority, call: Call) => CertificateAuthority | undefined,
    ): Handler => {
      return (call) => {
        const name = textParameter(call, "name");
        const found = foundOrThrow(this.#find(name), () => resourceErrors.notFound(name));
        if (!from.includes(found.state)) {
          const message = `the CertificateAuthority ${name} is ${found.state}, and has to be ${from.join(" or ")}`;
          throw new CloudError("FAILED_PRECONDITION", message);
        }
        const { id } = call.method;
        const failure = failOperation?.(id, call);
        if (failure !== undefined) return operations.fail(id, name, failure);
        const changed = change(found, call);
        const after = { ...(changed ?? found), updateTime: clock.now().toISOString() };
        if (changed !== undefined) this.#authorities.set(name, after);
        else this.#forget(name);
        const result = changed === undefined ? { ...found, state: "DELETED" } : after;
        return operations.start(id, name, "CertificateAuthority", result);
      };
    };
    const path = `${prefix}.certificateAuthorities`;
    return {
      [`${path}.enable`]: move(["STAGED", "DISABLED"], (found) => ({ ...found, state: "ENABLED" })),
      [`${path}.disable`]: move(["ENABLED", "STAGED"], (found, call) => {
        const pool = withoutLastParts(found.name, 2);
        const others = this.#authoritiesOf(pool).filter(
          ({ name, state }) => name !== found.name && state === "ENABLED",
        );
        const users = found.state === "ENABLED" && others.length === 0 ? this.#dependentsOf(pool, call) : [];
        if (users.length > 0) {
          const message = `${found.name} is the last enabled CA of its pool, to which issuance configs refer: ${users}`;
          throw new CloudError("FAILED_PRECONDITION", message);
        }
        return { ...found, state: "DISABLED" };
      }),
      [`${path}.delete`]: move(["STAGED", "DISABLED"], (found, call) => {
        if (textParameter(call, "skipGracePeriod") === "true") return undefined;
        const now = clock.now();
        const expireTime = new Date(now.getTime() + gracePeriodMs).toISOString();
        return { ...found, state: "DELETED", deleteTime: now.toISOString(), expireTime };
      }),
      [`${path}.undelete`]: move(["DELETED"], ({ deleteTime: _, expireTime: __, ...found }) => ({
        ...found,
        state: "DISABLED",
      })),
    };
  }

  /** Returns a CA; undefined after its deletion period. */
  #find(name: string): CertificateAuthority | undefined {
    const found = this.#authorities.get(name);
    const isExpired = Date.parse(found?.expireTime ?? "") <= this.#options.clock.now().getTime();
    if (isExpired) this.#forget(name);
    return isExpired ? undefined : found;
  }

  /** Returns the issuance configs that a pool without an enabled CA would leave without an issuer. */
  #dependentsOf(pool: string, call: Call): readonly string[] {
    const isIgnored = [call.parameters.ignoreDependentResources, call.body.ignoreDependentResources].some(
      (given) => given === true || given === "true",
    );
    return isIgnored ? [] : (this.#options.configsUsing?.(pool) ?? []);
  }

  #authoritiesOf(pool: string): readonly CertificateAuthority[] {
    return [...this.#authorities.values()].filter(({ name }) => withoutLastParts(name, 2) === pool);
  }

  #stateOf(name: string, state: CaState): CaState {
    return state === "ENABLED" && this.#options.isDisabled(name) ? "DISABLED" : state;
  }

  #forget(name: string): void {
    this.#authorities.delete(name);
    this.#roots.delete(name);
  }
}

function checkPolicy({ issuancePolicy }: Json): void {
  const { maximumLifetime } = (issuancePolicy ?? {}) as IssuancePolicy;
  if (maximumLifetime !== undefined && durationMs(maximumLifetime) === undefined)
    throw invalidField(
      "ca_pool.issuance_policy.maximum_lifetime",
      "is not a duration in seconds, for example 2592000s",
    );
}

function refused(refusal: string): { readonly refusal: string } {
  return { refusal };
}
