import { defined } from "../json/defined";
import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { keysOf, nameWithKey, withoutKeys } from "./kinds";

/** Maximum number of inputs and outputs of modules that are followed from one reference. */
const longest = 64;

/** A resource, or all of its instances that match the keys. */
export interface Target {
  /** Address without instance keys. */
  readonly bare: string;
  /** Keys as `keysOf` returns them; an empty string matches any key. */
  readonly keys: readonly string[];
  /** Key of the referring instance, which the reference probably means; an empty string if there is none. */
  readonly preferred: string;
  /** Whether an expression may choose one of several instances: by its own key or a value of it, or by any value. */
  readonly choice: "none" | "own" | "any";
}

/** Arguments of a resource or of a module call; addresses are relative to the module. */
interface Given {
  readonly references: Readonly<Record<string, readonly string[]>>;
  readonly dependsOn: readonly string[];
  /** Whether it has `for_each` or `count`, and so keys. */
  readonly isRepeated: boolean;
  readonly forEach: readonly string[];
  /** Literal values of `for_each`; empty if they are computed. */
  readonly forEachValues: Fields;
  /** Literal values. */
  readonly constants: Fields;
}

interface Module {
  /** `module.a.module.b.`; empty for the root. */
  readonly prefix: string;
  /** Values of its inputs: the root's variables; in modules, the defaults for inputs that the call does not set. */
  readonly inputs: Fields;
  readonly call?: { readonly from: Module; readonly given: Given };
  readonly resources: ReadonlyMap<string, Given>;
  readonly calls: ReadonlyMap<string, Module>;
  readonly outputs: Readonly<Record<string, Pick<Given, "dependsOn"> & { readonly references: readonly string[] }>>;
}

/** References, with the instances of the module and of the resource that contain them. */
interface ReferenceScope {
  readonly references: readonly string[];
  readonly module: Module;
  /** Keys of the instances of the module and of the modules that contain it. */
  readonly keys: readonly string[];
  /** Source of the values of `each`, and its key in this instance. */
  readonly forEach: readonly string[];
  readonly forEachValues: Fields;
  readonly key: string;
  /** Key that references without a key probably mean. @default - the keys in these references */
  readonly meant?: string;
}

/**
 * Resolves references of resources through inputs and outputs of modules. The JSON of a plan does not contain the
 * references of local values.
 */
export class Configuration {
  readonly #resources = new Map<string, { readonly module: Module; readonly given: Given }>();
  readonly #commands = new Set<string>();

  /**
   * @param root `configuration.root_module` of a plan
   * @param variables `variables` of a plan
   */
  constructor(root: Fields, variables: Fields = {}) {
    const inputs = Object.entries(variables).map(([name, variable]) => [name, fieldsOf(variable).value]);
    this.#read(root, "", { inputs: Object.fromEntries(inputs) });
  }

  /** Returns whether the creation of a resource runs a command. @param bare address without keys */
  runsCommand(bare: string): boolean {
    return this.#commands.has(bare);
  }

  /** Returns the resources that an attribute of an instance refers to. */
  referred(address: string, attribute: string): Followed {
    const found = this.#resources.get(withoutKeys(address));
    if (found === undefined) return { targets: [], hasLocals: false };
    const keys = keysOf(address);
    const scope = scopeOf(found, found.given.references[attribute] ?? [], keys);
    return follow([isKeyLookedUp(scope.references) ? { ...scope, meant: "" } : scope], "value");
  }

  /** Returns the resources that an instance depends on. A local value can depend on any resource. */
  dependencies(address: string): Followed {
    const found = this.#resources.get(withoutKeys(address));
    if (found === undefined) return { targets: [], hasLocals: false };
    const { references, dependsOn, forEach } = found.given;
    const keys = keysOf(address);
    // Separate, because a part of a resource is less specific than the whole resource.
    const parts = [...Object.values(references), forEach, dependsOn];
    const meant = keyMeant(scopeOf(found, parts.flat(), keys));
    const scopes: ReferenceScope[] = parts.map((part) => ({ ...scopeOf(found, part, keys), meant }));
    let depth = keys.length - 2;
    for (let { call } = found.module; call !== undefined; call = call.from.call, depth -= 1) {
      // All resources of a module depend on the dependencies of its call.
      const outside = { module: call.from, keys: keys.slice(0, Math.max(0, depth)), ...noEach };
      scopes.push({ ...outside, references: call.given.dependsOn });
    }
    return follow(scopes, "order");
  }

  #read(fields: Fields, prefix: string, { inputs, call }: Pick<Module, "inputs" | "call">): Module {
    const resources = new Map<string, Given>();
    const calls = new Map<string, Module>();
    const outputs = Object.entries(fieldsOf(fields.outputs)).map(([name, output]) => {
      const { expression, depends_on: dependsOn } = fieldsOf(output);
      return [name, { references: referencesIn(expression), dependsOn: textsOf(dependsOn) }];
    });
    const module: Module = {
      prefix,
      inputs,
      ...defined({ call }),
      resources,
      calls,
      outputs: Object.fromEntries(outputs),
    };
    for (const value of listOf(fields.resources)) {
      const { address, provisioners } = fieldsOf(value);
      if (typeof address !== "string") continue;
      const given = givenOf(value);
      resources.set(address, given);
      this.#resources.set(`${prefix}${address}`, { module, given });
      if (listOf(provisioners).length > 0) this.#commands.add(`${prefix}${address}`);
    }
    for (const [name, value] of Object.entries(fieldsOf(fields.module_calls))) {
      const inner = fieldsOf(fieldsOf(value).module);
      const defaults = Object.entries(fieldsOf(inner.variables)).map(([input, variable]) => [
        input,
        fieldsOf(variable).default,
      ]);
      const of = { inputs: Object.fromEntries(defaults), call: { from: module, given: givenOf(value) } };
      calls.set(name, this.#read(inner, `${prefix}module.${name}.`, of));
    }
    return module;
  }
}

/** The resources that references resolve to. */
export interface Followed {
  readonly targets: readonly Target[];
  /** Whether the references contain a local value, whose own references are unknown. */
  readonly hasLocals: boolean;
}

const noEach = { forEach: [], forEachValues: {}, key: "" } as const;

function givenOf(block: unknown): Given {
  const { expressions, depends_on: dependsOn, for_each_expression: forEach, count_expression: count } = fieldsOf(block);
  const values = Object.entries(fieldsOf(expressions));
  return {
    references: Object.fromEntries(values.map(([name, value]) => [name, referencesIn(value)])),
    dependsOn: textsOf(dependsOn),
    isRepeated: forEach !== undefined || count !== undefined,
    forEach: referencesIn(forEach),
    forEachValues: fieldsOf(fieldsOf(forEach).constant_value),
    constants: defined(Object.fromEntries(values.map(([name, value]) => [name, fieldsOf(value).constant_value]))),
  };
}

function referencesIn(expression: unknown): readonly string[] {
  if (Array.isArray(expression)) return expression.flatMap(referencesIn);
  const { references, ...blocks } = fieldsOf(expression);
  return [...textsOf(references), ...Object.values(blocks).flatMap(referencesIn)];
}

function scopeOf(
  { module, given }: { readonly module: Module; readonly given: Given },
  references: readonly string[],
  keys: readonly string[],
): ReferenceScope {
  const { forEach } = given;
  const forEachValues = valuesOf(module, given);
  return { references, module, keys: keys.slice(0, -1), forEach, forEachValues, key: keys.at(-1) ?? "" };
}

/** Returns the elements of `for_each` by key: a literal value, or the value of the input that it consists of. */
function valuesOf(module: Module, { forEach, forEachValues }: Given): Fields {
  if (forEach.length === 0) return forEachValues;
  const value = inputOf(module, forEach);
  return Array.isArray(value) ? Object.fromEntries(textsOf(value).map((text) => [text, text])) : fieldsOf(value);
}

/** Returns the value of the only input that the references name; undefined if the value is unknown. */
function inputOf(module: Module, references: readonly string[]): unknown {
  const [name, ...others] = references.map((reference) => /^var\.([^.[]+)$/.exec(reference)?.[1]);
  if (name === undefined || others.length > 0) return undefined;
  const { inputs, call } = module;
  if (call === undefined) return inputs[name];
  const { constants, references: given } = call.given;
  return constants[name] ?? (given[name] === undefined ? inputs[name] : inputOf(call.from, given[name]));
}

/** Returns whether a key is probably looked up by the instance's key, as in `a.b[local.names[each.key]]`. */
function isKeyLookedUp(references: readonly string[]): boolean {
  const isOwn = references.some((reference) => /^(?:each\.key|count\.index)/.test(reference));
  return isOwn && references.some((reference) => /^(?:var|local)\./.test(reference));
}

/** @param what `value`: the references of the value; `order`: also the `depends_on` of module outputs */
function follow(scopes: readonly ReferenceScope[], what: "value" | "order"): Followed {
  const targets = new Map<string, Target>();
  let hasLocals = false;
  let pending = scopes;
  for (let step = 0; step < longest && pending.length > 0; step += 1) {
    const further: ReferenceScope[] = [];
    for (const scope of pending) {
      const preferred = scope.meant ?? keyMeant(scope);
      for (const reference of mostSpecific(scope.references)) {
        if (reference.startsWith("local.")) hasLocals = true;
        const target = resourceIn(reference, scope, preferred);
        if (target !== undefined) targets.set(JSON.stringify(target), target);
        else further.push(...through(reference, scope, preferred, what));
      }
    }
    pending = further;
  }
  return { targets: [...targets.values()], hasLocals };
}

/** Returns the key that references probably mean: the key of the instance, or a literal string of `each.value`. */
function keyMeant({ references, forEachValues, key }: ReferenceScope): string {
  if (references.some((reference) => /^(?:each\.key|count\.index)/.test(reference))) return key;
  const values = references.flatMap((reference) => {
    const [root, value, ...path] = reference.split(".");
    if (root !== "each" || value !== "value" || !key.startsWith('["')) return [];
    const found = path.reduce<unknown>(
      (at, name) => fieldsOf(at)[name],
      forEachValues[asText(JSON.parse(key.slice(1, -1)))],
    );
    return typeof found === "string" || Number.isInteger(found) ? [found] : [];
  });
  return values.length === 1 ? `[${JSON.stringify(values[0])}]` : "";
}

/** After `a.b["k"].id` Terraform also lists `a.b["k"]` and `a.b`; only the most specific reference is needed. */
function mostSpecific(references: readonly string[]): readonly string[] {
  const longer = new Set(references.flatMap(shorter));
  return [...new Set(references)].filter((reference) => !longer.has(reference));
}

/** Returns the prefixes of a reference: `a.b["k"]` and `a.b` for `a.b["k"].id`. */
function shorter(reference: string): readonly string[] {
  const found: string[] = [];
  for (let rest = reference; rest !== ""; ) {
    rest = rest.replace(/(?:\.[^.[\]"]*|\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])$/, "");
    if (rest === found.at(-1) || rest === reference) break;
    found.push(rest);
  }
  return found;
}

function choiceIn(references: readonly string[]): Target["choice"] {
  if (references.some((reference) => /^(?:var|local)\./.test(reference))) return "any";
  return references.some((reference) => /^(?:each|count)\./.test(reference)) ? "own" : "none";
}

const nowhere = /^(?:local|var|each|count|path|self|terraform|module)$/;

/** Returns the resource that a reference names in its own module. */
function resourceIn(
  reference: string,
  { module, keys, references }: ReferenceScope,
  preferred: string,
): Target | undefined {
  const isData = reference.startsWith("data.");
  const type = nameWithKey(isData ? reference.slice(5) : reference);
  const parts = type === undefined ? undefined : nameWithKey(type.rest);
  if (type === undefined || parts === undefined || nowhere.test(type.name)) return undefined;
  const bare = `${module.prefix}${isData ? "data." : ""}${type.name}.${parts.name}`;
  const isKeyed = parts.key !== "";
  const choice = isKeyed ? "none" : choiceIn(references);
  return { bare, keys: [...keys, parts.key], preferred: isKeyed ? "" : preferred, choice };
}

/** Follows a reference that names no resource: into a module, out of a module, or to the value of `for_each`. */
function through(
  reference: string,
  scope: ReferenceScope,
  preferred: string,
  what: "value" | "order",
): readonly ReferenceScope[] {
  const { module, keys, forEach } = scope;
  const [root, ...path] = reference.split(".");
  if (root === "each" && path[0]?.startsWith("value")) {
    // Resources in `for_each` have the same keys as this instance.
    return [{ ...scope, references: [...forEach, "each.key"], forEach: [], meant: scope.key }];
  }
  if (root === "var" && module.call !== undefined) {
    const { from, given } = module.call;
    const references = given.references[nameWithKey(path.join("."))?.name ?? ""] ?? [];
    return [scopeOf({ module: from, given }, references, keys)];
  }
  if (root !== "module") return [];
  const called = nameWithKey(reference.slice("module.".length));
  const inner = called === undefined ? undefined : module.calls.get(called.name);
  if (called === undefined || inner === undefined) return [];
  const isRepeated = inner.call?.given.isRepeated === true;
  const inside = { module: inner, keys: [...keys, called.key || (isRepeated ? preferred : "")], ...noEach };
  const output = nameWithKey(called.rest)?.name;
  if (output !== undefined) {
    const { references = [], dependsOn = [] } = inner.outputs[output] ?? {};
    // Separate, because a part of a module is less specific than the whole module.
    return (what === "value" ? [references] : [references, dependsOn]).map((group) => ({
      ...inside,
      references: group,
    }));
  }
  // The reference means the whole module, as in `depends_on`.
  const calls = [...inner.calls.keys()].map((name) => `module.${name}`);
  return [{ ...inside, references: [...inner.resources.keys(), ...calls] }];
}
