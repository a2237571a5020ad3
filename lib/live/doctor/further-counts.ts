import { isReference, type MigrationPlan } from "../../plan";
import { locationIn, writeLocation } from "../../resource-names";
import type { StackContents } from "../../source";
import { type CheckTask, orUnknown } from "./check-task";
import { projectOf } from "./compute-names";
import type { DoctorOptions } from "./options";
import { type Count, judgeCounts } from "./quota-checks";
import type { DoctorSubject } from "./subject";

/** Kinds of resources with a limit per project and location, beside certificates, authorizations and entries. */
const kinds = {
  certificateIssuanceConfigs: {
    noun: "issuance configs",
    type: "google_certificate_manager_certificate_issuance_config",
  },
  trustConfigs: { noun: "trust configs", type: "google_certificate_manager_trust_config" },
  serverTlsPolicies: { noun: "server TLS policies", type: "google_network_security_server_tls_policy" },
} as const;

type Collection = keyof typeof kinds;

/** Names of resources to create in `projects/P/locations/L/COLLECTION`. */
type Made = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns checks that count the issuance configs, trust configs and server TLS policies of a project, existing and to
 * create. The quotas pages of Certificate Manager and Network Security state limits for them, which only the quota
 * service reads.
 */
export function furtherCountTasks(
  subject: DoctorSubject,
  { google, signal, plan, stack }: DoctorOptions,
): readonly CheckTask[] {
  return [...furtherMade(subject, plan, stack)].map(([place, names]) => ({
    check: "quotas",
    subject: projectOf(place),
    work: async () => {
      const collection = place.slice(place.lastIndexOf("/") + 1) as Collection;
      const { noun } = kinds[collection];
      const location = locationIn(place);
      const kind = location === "global" ? noun : `${noun} in ${location}`;
      const { known, unknown } = await orUnknown(google.balancers.ids(place, signal), `number of ${kind}`);
      if (known === undefined) return { findings: [], unknown };
      const made = [...names].filter((name) => !known.includes(`${place}/${name}`)).length;
      const count: Count = { kind, there: known.length, made };
      const note = `${kind}: ${count.there} there, ${count.made} to come`;
      return { findings: judgeCounts(projectOf(place), [count]), notes: [note] };
    },
  }));
}

/** Returns what a plan, or the stack of all migrations, creates. */
export function furtherMade(
  { project, balancerProject }: Pick<DoctorSubject, "project" | "balancerProject">,
  plan: MigrationPlan | undefined,
  stack: StackContents | undefined,
): Made {
  const made = new Map<string, Set<string>>();
  const add = (collection: Collection, owner: string | undefined, location: unknown, name: unknown) => {
    if (owner === undefined || typeof location !== "string" || typeof name !== "string") return;
    if ([owner, location, name].some(isReference)) return;
    const place = `${writeLocation({ project: owner, location })}/${collection}`;
    made.set(place, (made.get(place) ?? new Set<string>()).add(name));
  };
  for (const config of plan?.issuanceConfigs ?? [])
    add("certificateIssuanceConfigs", config.project ?? project, config.location, config.name);
  for (const own of plan?.attachment.clientAuthentications ?? []) {
    add("trustConfigs", own.project ?? balancerProject, own.location, own.trustConfigName);
    add("serverTlsPolicies", own.project ?? balancerProject, own.location, own.policyName);
  }
  for (const { type, isLookedUp, values, project: owner } of stack?.resources ?? []) {
    const [collection] = Object.entries(kinds).find(([, kind]) => kind.type === type) ?? [];
    if (collection !== undefined && !isLookedUp)
      add(collection as Collection, owner, values.location ?? "global", values.name);
  }
  return made;
}
