import { createHash } from "node:crypto";
import { CloudError, foundOrThrow } from "../cloud-error";
import { type Call, type Handlers, type Json, textParameter } from "../front";
import { type Collection, indexBy, type Store } from "../state";
import { dnsErrors, dnsListAnswer, invalidEntity, readDnsName } from "./answers";

interface Policy extends Json {
  readonly kind: "dns#policy";
  /** Decimal digits. */
  readonly id: string;
  readonly name: string;
  readonly networks?: readonly Json[];
}

interface KeptPolicy {
  readonly project: string;
  readonly policy: Policy;
}

interface PoliciesOptions {
  readonly store: Store;
  readonly now: () => string;
  readonly mayFail: (call: Call) => void;
}

const mutable = [
  "alternativeNameServerConfig",
  "description",
  "dns64Config",
  "enableInboundForwarding",
  "enableLogging",
  "networks",
];

/**
 * Returns the handlers of server policies: inbound forwarding and alternative name servers for networks. Policies are
 * stored and returned, but have no effect: the cloud emulates no networks, and policies do not affect public DNS.
 */
export function policyHandlers({ store, now, mayFail }: PoliciesOptions): Handlers {
  const policies: Collection<KeptPolicy> = store.collection("dns.policies");
  const policiesOf = indexBy(policies, ({ project }) => [project]);

  const find = (call: Call): KeptPolicy => {
    const name = textParameter(call, "policy");
    const project = textParameter(call, "project");
    const isNamed = ({ policy }: KeptPolicy) => policy.name === name || policy.id === name;
    const kept = policies.get(`${project}/${name}`) ?? policiesOf(project).find(isNamed);
    return foundOrThrow(kept, () => dnsErrors.notFound("policy", name));
  };
  const keep = (call: Call, kept: KeptPolicy): Policy => {
    checkNetworks(kept, policiesOf(kept.project));
    mayFail(call);
    policies.set(`${kept.project}/${kept.policy.name}`, kept);
    return kept.policy;
  };
  /** @param removed fields that the change removes unless it sets them */
  const change = (call: Call, removed: readonly string[]): Json => {
    const { project, policy } = find(call);
    const { name } = call.body;
    if (name !== undefined && name !== policy.name)
      throw invalidEntity("policy.name", name, "it can't be changed; make a new policy");
    const kept = Object.entries(policy).filter(([field]) => !removed.includes(field));
    const given = Object.entries(call.body).filter(([field]) => mutable.includes(field));
    const changed = Object.fromEntries([...kept, ...given].filter(([, value]) => value !== null)) as Json as Policy;
    return { policy: keep(call, { project, policy: changed }) };
  };
  return {
    "dns.policies.create": (call) => {
      const project = textParameter(call, "project");
      const policy = newPolicy(call.body, project, now());
      if (policies.has(`${project}/${policy.name}`)) throw dnsErrors.alreadyExists("policy", policy.name);
      return keep(call, { project, policy });
    },
    "dns.policies.get": (call) => find(call).policy,
    "dns.policies.list": (call) => {
      const all = policiesOf(textParameter(call, "project")).map(({ policy }) => policy);
      return dnsListAnswer(call, "dns#policiesListResponse", "policies", all, ({ name }) => name);
    },
    "dns.policies.patch": (call) => change(call, []),
    "dns.policies.update": (call) => change(call, mutable),
    "dns.policies.delete": (call) => {
      const { project, policy } = find(call);
      if (networksOf(policy).length > 0) {
        const message = `The resource named '${policy.name}' cannot be deleted because it is bound to networks: take them out first.`;
        throw new CloudError("INVALID_ARGUMENT", message, { reason: "resourceInUseByAnotherResource" });
      }
      mayFail(call);
      policies.delete(`${project}/${policy.name}`);
      return undefined;
    },
  };
}

function newPolicy(body: Json, project: string, now: string): Policy {
  const name = readDnsName(body.name, "policy.name");
  const digest = createHash("sha256").update(`policy ${project}/${name}/${now}`).digest();
  const id = (digest.readBigUInt64BE(0) >> 1n).toString();
  return { enableInboundForwarding: false, enableLogging: false, ...body, kind: "dns#policy", id, name };
}

function networksOf({ networks = [] }: Policy): readonly string[] {
  return networks.map(({ networkUrl }) => String(networkUrl));
}

/** Checks that each network has at most one policy. */
function checkNetworks({ policy }: KeptPolicy, others: readonly KeptPolicy[]): void {
  const networks = networksOf(policy);
  if (new Set(networks).size < networks.length)
    throw invalidEntity("policy.networks", networks.join(", "), "a network is named twice");
  for (const { policy: otherPolicy } of others) {
    const shared =
      otherPolicy.id === policy.id ? undefined : networksOf(otherPolicy).find((network) => networks.includes(network));
    if (shared !== undefined)
      throw invalidEntity("policy.networks", shared, `the network is bound to the policy '${otherPolicy.name}'`);
  }
}
