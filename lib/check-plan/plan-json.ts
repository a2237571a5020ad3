import { isIPv6 } from "node:net";
import { InputError } from "../errors";
import { canonicalAddress } from "../hostnames";
import { asText, type Fields, fieldsOf, isFields, listOf, parseJson, textsOf } from "../json/fields";
import { quote } from "../text/quote";
import { Configuration } from "./configuration";
import { addressTypes, forwardingRuleTypes, types } from "./kinds";
import { type OriginOf, zoneOrigins } from "./record-readers";
import { asCloudDns } from "./records";

/** Action of Terraform on a resource; for a replacement, in its order. */
type Action = "no-op" | "create" | "update" | "delete" | "deleteThenCreate" | "createThenDelete";

/** A managed resource in the plan. */
export interface Change {
  readonly address: string;
  readonly type: string;
  readonly action: Action;
  /** Whether it is left from an interrupted replacement and only waits for its deletion. */
  readonly deposed: boolean;
  readonly before: Fields;
  readonly after: Fields;
  /** The parts of `after` that are unknown before the apply, as true. */
  readonly unknown: Fields;
}

/** A resource as it is before or after the apply. */
export interface Resource {
  readonly address: string;
  readonly type: string;
  readonly values: Fields;
}

/** A plan of Terraform as {@link checkPlan} reads it. */
export interface TerraformPlan {
  readonly changes: readonly Change[];
  /** Existing resources by address. */
  readonly prior: ReadonlyMap<string, Resource>;
  /** Data sources that Terraform has read. */
  readonly data: readonly Resource[];
  readonly configuration: Configuration;
  /**
   * Dependencies of each resource in the state, also through local values: addresses without keys, of the last apply
   * and of this plan.
   */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  /**
   * Addresses, some without keys, of all resources that changes of this plan refer to, also through local values. The
   * plan does not contain which change refers to which resource.
   */
  readonly contributing: readonly string[];
  /**
   * Addresses of instances with conditions that Terraform evaluates during the apply, or of resources if the plan names
   * no instance. Conditions that the plan has already evaluated as true are left out.
   */
  readonly conditioned: ReadonlySet<string>;
  readonly completeness: PlanCompleteness;
}

/** What a plan may lack. */
export interface PlanCompleteness {
  /** Addresses of resources that Terraform defers to a later plan. */
  readonly deferred: readonly string[];
  /** Actions of Terraform that this project does not know, with their addresses. */
  readonly strange: readonly { readonly address: string; readonly words: string }[];
  /** Whether the plan contains all changes of the configuration; false with `-target`. */
  readonly complete: boolean;
  /** Whether planning stopped with an error. */
  readonly errored: boolean;
}

/** Returns whether the apply creates the resource, as a new one or as a replacement. */
export function isCreated({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "createThenDelete" || action === "deleteThenCreate";
}

/** Returns whether a resource does not exist after the apply, or for a time during the apply. */
export function isDeleted({ action, deposed }: Change): boolean {
  return !deposed && (action === "delete" || action === "deleteThenCreate");
}

/** Returns whether the apply deletes a resource, also to replace it. */
export function isDestroyed({ action }: Change): boolean {
  return action === "delete" || action === "deleteThenCreate" || action === "createThenDelete";
}

/** Returns whether a resource is updated in place, or replaced after its successor was created. */
export function isChangedWithoutGap({ action, deposed }: Change): boolean {
  return !deposed && (action === "update" || action === "createThenDelete");
}

/**
 * Reads what `terraform show -json PLAN` prints, in the formats 0.1 to 1.x: of Terraform from 0.12 on, and of OpenTofu.
 *
 * @throws InputError `plan-malformed`
 */
export function readTerraformPlan(text: string, source: string): TerraformPlan {
  const plan = parseJson(text);
  if (plan === undefined) throw malformed(source, "is not JSON");
  const fields = fieldsOf(plan);
  const format = typeof fields.format_version === "string" ? fields.format_version : "";
  if (/^\d+\.\d+$/.test(format) && !/^[01]\./.test(format)) {
    throw malformed(source, `has the format ${format}, which this version cannot read; formats 0.1 to 1.x can be read`);
  }
  const lacks = missingParts(plan);
  if (lacks !== undefined) throw malformed(source, `is not the JSON of a plan: ${lacks}`);
  const strange: { readonly address: string; readonly words: string }[] = [];
  const originOf = zoneOrigins(fields);
  const changes = listOf(fields.resource_changes).flatMap((value) => readChange(value, strange, originOf));
  const prior = new Map<string, Resource>();
  for (const { address, type, before, deposed, action } of changes) {
    if (!deposed && action !== "create") prior.set(address, { address, type, values: before });
  }
  const dependencies = new Map<string, readonly string[]>();
  const data: Resource[] = [];
  readModule(fieldsOf(fieldsOf(fieldsOf(fields.prior_state).values).root_module), {
    prior,
    dependencies,
    data,
    originOf,
  });
  return {
    changes,
    prior,
    data,
    configuration: new Configuration(fieldsOf(fieldsOf(fields.configuration).root_module), fieldsOf(fields.variables)),
    dependencies,
    contributing: [...new Set(textsOf(listOf(fields.relevant_attributes).map((value) => fieldsOf(value).resource)))],
    conditioned: new Set(listOf(fields.checks).flatMap(openConditions)),
    completeness: {
      deferred: listOf(fields.deferred_changes).map((value) => {
        return asText(fieldsOf(fieldsOf(value).resource_change).address ?? "a resource");
      }),
      strange,
      complete: fields.complete !== false,
      errored: fields.errored === true,
    },
  };
}

/** Returns what is missing or malformed in a plan. Terraform omits `resource_changes` if a plan has no changes. */
function missingParts(plan: unknown): string | undefined {
  if (!isFields(plan)) return "the plan is not an object";
  if (plan.planned_values === undefined && plan.values !== undefined) {
    return "'planned_values' is missing, and 'values' is what the JSON of a state has";
  }
  const missing = ["format_version", "planned_values"].filter((part) => plan[part] === undefined);
  if (missing.length > 0) return `${missing.map(quote).join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`;
  if (typeof plan.format_version !== "string" || plan.format_version === "") return "'format_version' is not a string";
  const { resource_changes: changes } = plan;
  return changes === undefined || changes === null || Array.isArray(changes)
    ? undefined
    : "'resource_changes' is not a list";
}

function malformed(source: string, what: string): InputError {
  return new InputError("plan-malformed", `${quote(source)} ${what}; pass the output of 'terraform show -json PLAN'`);
}

const actions: Readonly<Record<string, Action>> = {
  "no-op": "no-op",
  create: "create",
  update: "update",
  delete: "delete",
  "delete,create": "deleteThenCreate",
  "create,delete": "createThenDelete",
  // The previous resource stays, and Terraform no longer manages it.
  "create,forget": "create",
  "forget,create": "create",
};

/** Returns values in the form in which the rules compare them: one form of DNS records, one spelling of addresses. */
function comparable(type: string, values: unknown, originOf: OriginOf): Pick<Resource, "type" | "values"> {
  const read = asCloudDns(type, fieldsOf(values), originOf);
  return { type: read.type, values: withCanonicalAddresses(read.type, read.values) };
}

/** Actions that leave a resource unchanged. */
const harmless = new Set(["forget", "read", "open", "close", "renew"]);

function readChange(
  value: unknown,
  strange: { readonly address: string; readonly words: string }[],
  originOf: OriginOf,
) {
  const { address, type, mode, change, deposed } = fieldsOf(value);
  const { actions: words, before, after, after_unknown: unknown } = fieldsOf(change);
  if (mode !== "managed" || typeof address !== "string" || typeof type !== "string") return [];
  const word = listOf(words).join(",");
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) {
    if (!harmless.has(word)) strange.push({ address, words: word });
    return [];
  }
  const was = comparable(type, before, originOf);
  const read: Change = {
    address,
    type: was.type,
    action,
    deposed: typeof deposed === "string",
    before: was.values,
    after: comparable(type, after, originOf).values,
    unknown: fieldsOf(unknown),
  };
  return [read];
}

/** What {@link readModule} fills. */
interface State {
  readonly prior: Map<string, Resource>;
  readonly dependencies: Map<string, readonly string[]>;
  readonly data: Resource[];
  readonly originOf: OriginOf;
}

function readModule(module: Fields, into: State): void {
  for (const value of listOf(module.resources)) {
    const { address, type, mode, values, depends_on: dependsOn, deposed_key: deposed } = fieldsOf(value);
    if (typeof address !== "string" || typeof type !== "string" || deposed) continue;
    if (mode === "data") into.data.push({ address, ...comparable(type, values, into.originOf) });
    if (mode !== "managed") continue;
    into.prior.set(address, { address, ...comparable(type, values, into.originOf) });
    into.dependencies.set(address, textsOf(dependsOn));
  }
  for (const child of listOf(module.child_modules)) readModule(fieldsOf(child), into);
}

function openConditions(check: unknown): readonly string[] {
  const { address, status, instances } = fieldsOf(check);
  const { kind, to_display: resource } = fieldsOf(address);
  if (kind !== "resource" || status === "pass") return [];
  const single = listOf(instances).map((instance) => fieldsOf(instance));
  if (single.length === 0) return [asText(resource)];
  return single
    .filter((instance) => instance.status !== "pass")
    .map((instance) => asText(fieldsOf(instance.address).to_display ?? resource));
}

/** Attributes with IP addresses, by resource type. */
const holders: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...forwardingRuleTypes].map((type) => [type, ["ip_address"]] as const),
  ...[...addressTypes].map((type) => [type, ["address"]] as const),
  [types.record, ["rrdatas", "routing_policy"]],
]);

/**
 * Returns the values of a resource with each IPv6 address in its canonical form, because an address has several
 * spellings. Regional forwarding rules have the address with the length of its prefix, which is left out.
 */
function withCanonicalAddresses(type: string, values: Fields): Fields {
  const attributes = holders.get(type)?.filter((attribute) => values[attribute] !== undefined) ?? [];
  if (attributes.length === 0) return values;
  return { ...values, ...Object.fromEntries(attributes.map((attribute) => [attribute, canonical(values[attribute])])) };
}

function canonical(value: unknown): unknown {
  if (typeof value === "string") {
    const bare = value.replace(/\/\d+$/, "");
    return isIPv6(bare) ? canonicalAddress(bare) : value;
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, canonical(member)]));
}
