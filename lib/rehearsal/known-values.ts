/**
 * Replaces references by values that are known before Terraform runs. A rehearsal needs names to prepare the resources
 * that data sources look up.
 */
import { defined } from "../json/defined";
import { type Block, type BlocksByName, type BlocksByType, providerBlocksOf, type StackJson } from "./stack";

type Scalar = string | number | boolean;

/** Maximum depth of locals that refer to other locals. */
const mostPasses = 8;

/** A reference to a single value, with nothing else inside the braces; a doubled sign (`$${`) would be literal text. */
const reference = /(?<!\$)\$\{((?:var|local|data\.google_client_config|data\.google_project)\.[\w-]+(?:\.\w+)?)\}/g;

/**
 * Replaces references to variables, to locals and to values of the provider block (`google_client_config`,
 * `google_project`) in all blocks that Terraform creates or reads. References to secrets stay, as do references to
 * values other than a text, a number or a boolean.
 *
 * @param env environment variables, for example `TF_VAR_zone`
 */
export function withKnownValues(stack: StackJson, env: Readonly<Record<string, string | undefined>>): StackJson {
  const known = new Map<string, Scalar>([...variablesOf(stack, env), ...placesOf(stack)]);
  let written = replaceIn(stack, known);
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = known.size;
    for (const [name, value] of [...localsOf(written), ...placesOf(written)]) known.set(name, value);
    if (known.size === before) return written;
    written = replaceIn(written, known);
  }
  return written;
}

function variablesOf(
  stack: StackJson,
  env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [string, Scalar])[] {
  return Object.entries((stack.variable ?? {}) as BlocksByName).flatMap(([name, block]) => {
    const type = String(block.type ?? "string");
    if (block.sensitive === true || block.ephemeral === true || !["string", "number", "bool"].includes(type)) return [];
    const given = env[`TF_VAR_${name}`];
    const value = given === undefined ? block.default : typed(given, type);
    return isScalar(value) ? [[`var.${name}`, value] as const] : [];
  });
}

function typed(text: string, type: string): Scalar {
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return type === "bool" && /^(?:true|false)$/.test(text) ? text === "true" : text;
}

function localsOf(stack: StackJson): readonly (readonly [string, Scalar])[] {
  return Object.entries((stack.locals ?? {}) as Block).flatMap(([name, value]) =>
    isScalar(value) ? [[`local.${name}`, value] as const] : [],
  );
}

/** Returns the values of data sources that only repeat the provider block. */
function placesOf(stack: StackJson): readonly (readonly [string, Scalar])[] {
  const data = (stack.data ?? {}) as BlocksByType;
  const found: (readonly [string, Scalar])[] = [];
  const add = (address: string, value: unknown) => {
    if (isScalar(value)) found.push([address, value]);
  };
  for (const [name, block] of Object.entries(data.google_client_config ?? {})) {
    const provider = providerOf(stack, block);
    for (const place of ["project", "region", "zone"])
      add(`data.google_client_config.${name}.${place}`, provider[place]);
  }
  for (const [name, block] of Object.entries(data.google_project ?? {})) {
    add(`data.google_project.${name}.project_id`, block.project_id ?? providerOf(stack, block).project);
  }
  return found;
}

/** Returns the provider block that a block belongs to. */
export function providerOf(stack: StackJson, { provider }: Block): Block {
  const [, source = "google", alias] = /^(?:\$\{)?([\w-]+)(?:\.([\w-]+))?/.exec(String(provider ?? "google")) ?? [];
  return providerBlocksOf(stack, source).find((block) => block.alias === alias) ?? {};
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === "string") return !/[$%]\{/.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

function replaceIn(stack: StackJson, known: ReadonlyMap<string, Scalar>): StackJson {
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") {
      const whole = /^\$\{([\w.-]+)\}$/.exec(value)?.[1];
      const found = whole === undefined ? undefined : known.get(whole);
      if (found !== undefined) return found;
      return value.replace(reference, (text, address: string) => String(known.get(address) ?? text));
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  const { variable, terraform, ...rest } = stack;
  return { ...(walk(rest) as StackJson), ...defined({ variable, terraform }) };
}
