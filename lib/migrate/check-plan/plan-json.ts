import { InputError } from "../../errors";
import { quote } from "../../quote";
import { type Fields, fieldsOf, listOf } from "./fields";
import { asCloudDns } from "./records";

/** What Terraform means to do with a resource; of a replacement, what comes first. */
type Action = "no-op" | "create" | "update" | "delete" | "deleteThenCreate" | "createThenDelete";

/** A managed resource in the plan. */
export interface Change {
  readonly address: string;
  readonly type: string;
  readonly action: Action;
  /** Whether it is the rest of an earlier replacement, which only waits to be destroyed. */
  readonly deposed: boolean;
  readonly before: Fields;
  readonly after: Fields;
  /** Where `after` is not known before the apply. */
  readonly unknown: Fields;
}

/** A resource as it is configured: what it refers to, and what it runs. */
interface Configured {
  /** Addresses without instance keys, of resources that it depends on by name. */
  readonly dependsOn: readonly string[];
  /** As Terraform lists references, by attribute; addresses of the same module. */
  readonly references: Readonly<Record<string, readonly string[]>>;
  readonly runsCommand: boolean;
}

export interface TerraformPlan {
  readonly changes: readonly Change[];
  /** Values of the resources that there are, by address. */
  readonly prior: ReadonlyMap<string, { readonly type: string; readonly values: Fields }>;
  /** By address without instance keys. */
  readonly configured: ReadonlyMap<string, Configured>;
  /**
   * Addresses without instance keys of resources with conditions that the apply will judge. One that the plan has found to hold already holds nothing back,
   * and is not among them.
   */
  readonly conditioned: ReadonlySet<string>;
  /** Whether Terraform could not plan to the end. */
  readonly errored: boolean;
}

/**
 * Reads what `terraform show -json PLAN` prints.
 *
 * @throws InputError `plan-malformed`
 */
export function readTerraformPlan(text: string, source: string): TerraformPlan {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch {
    throw malformed(source, "is not JSON");
  }
  const fields = fieldsOf(plan);
  if (!/^1\./.test(String(fields.format_version)) || fields.planned_values === undefined) {
    throw malformed(source, "is not the JSON of a plan");
  }
  const changes = listOf(fields.resource_changes).flatMap(readChange);
  const prior = new Map<string, { readonly type: string; readonly values: Fields }>();
  for (const { address, type, before, deposed, action } of changes) {
    if (!deposed && action !== "create") prior.set(address, { type, values: before });
  }
  readModule(fieldsOf(fieldsOf(fieldsOf(fields.prior_state).values).root_module), prior);
  const configured = new Map<string, Configured>();
  readConfiguration(fieldsOf(fieldsOf(fields.configuration).root_module), "", configured);
  const conditioned = listOf(fields.checks)
    .filter((check) => fieldsOf(check).status !== "pass")
    .map((check) => fieldsOf(fieldsOf(check).address))
    .filter(({ kind }) => kind === "resource")
    .map(({ to_display: address }) => String(address));
  return { changes, prior, configured, conditioned: new Set(conditioned), errored: fields.errored === true };
}

function malformed(source: string, what: string): InputError {
  return new InputError("plan-malformed", `${quote(source)} ${what}; give what 'terraform show -json PLAN' prints`);
}

const actions: Readonly<Record<string, Action>> = {
  "no-op": "no-op",
  create: "create",
  update: "update",
  delete: "delete",
  "delete,create": "deleteThenCreate",
  "create,delete": "createThenDelete",
};

function readChange(value: unknown): readonly Change[] {
  const { address, type, mode, change, deposed } = fieldsOf(value);
  const { actions: words, before, after, after_unknown: unknown } = fieldsOf(change);
  // What Terraform forgets or reads stays as it is.
  const action = actions[listOf(words).join(",")];
  if (mode !== "managed" || typeof address !== "string" || typeof type !== "string" || action === undefined) return [];
  const was = asCloudDns(type, fieldsOf(before));
  return [
    {
      address,
      type: was.type,
      action,
      deposed: typeof deposed === "string",
      before: was.values,
      after: asCloudDns(type, fieldsOf(after)).values,
      unknown: fieldsOf(unknown),
    },
  ];
}

function readModule(module: Fields, into: Map<string, { readonly type: string; readonly values: Fields }>): void {
  for (const value of listOf(module.resources)) {
    const { address, type, mode, values, deposed_key: deposed } = fieldsOf(value);
    if (mode !== "managed" || typeof address !== "string" || typeof type !== "string" || deposed) continue;
    into.set(address, asCloudDns(type, fieldsOf(values)));
  }
  for (const child of listOf(module.child_modules)) readModule(fieldsOf(child), into);
}

function readConfiguration(module: Fields, prefix: string, into: Map<string, Configured>): void {
  for (const value of listOf(module.resources)) {
    const { address, expressions, depends_on: dependsOn, provisioners } = fieldsOf(value);
    if (typeof address !== "string") continue;
    const references = Object.entries(fieldsOf(expressions)).map(([attribute, expression]) => [
      attribute,
      referencesIn(expression).map((reference) => `${prefix}${reference}`),
    ]);
    into.set(`${prefix}${address}`, {
      dependsOn: listOf(dependsOn).map((target) => `${prefix}${String(target)}`),
      references: Object.fromEntries(references),
      runsCommand: listOf(provisioners).length > 0,
    });
  }
  for (const [name, call] of Object.entries(fieldsOf(module.module_calls))) {
    readConfiguration(fieldsOf(fieldsOf(call).module), `${prefix}module.${name}.`, into);
  }
}

function referencesIn(expression: unknown): readonly string[] {
  if (Array.isArray(expression)) return expression.flatMap(referencesIn);
  const { references, ...blocks } = fieldsOf(expression);
  const own = listOf(references).filter((reference) => typeof reference === "string");
  return [...own, ...Object.values(blocks).flatMap((block) => (typeof block === "object" ? referencesIn(block) : []))];
}

/** `a.b` of `a.b[0]`, in modules too: as configurations have it. */
export function withoutKeys(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, "");
}
