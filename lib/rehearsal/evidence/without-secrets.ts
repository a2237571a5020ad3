/**
 * Removes keys and tokens from Terraform's plans, states and logs, so that they can be given to others. They still show
 * how the migration went.
 */
import { maskSecrets } from "../../text/quote";

/** Text that replaces a secret. */
const mask = "(secret, left out)";

/** Private keys in PEM, with line breaks as they are or escaped as in JSON. */
const privateKey = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;

/**
 * Names of members that contain only secrets, alone or after another word, as `auth_token`. The names cover types that
 * the stand-in keeps on request: the bindings don't state which of their attributes are sensitive.
 */
const secretName =
  /^(?:\w+_)?(?:access_key|client_secret|password|private_key|private_key_pem|secret_data|secret_key|service_key|token)$|^secret$/;

/**
 * Minimum length of a secret that is masked everywhere. Shorter texts may occur as ordinary words, so they are masked
 * only where they are marked.
 */
const shortestSecret = 8;

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** Values that a document marks as sensitive. */
interface Marked {
  /** Texts that are masked wherever they occur. */
  readonly texts: Set<string>;
  /** Names of sensitive members, by the object or list that contains them. */
  readonly members: Map<object, Set<string>>;
}

/** Returns a text without private keys and tokens. */
export function withoutSecretText(text: string): string {
  return maskSecrets(text.replace(privateKey, mask));
}

/**
 * Returns a plan or a state of Terraform, as JSON, without secrets. Masks the values that Terraform marks as sensitive;
 * texts of at least eight characters are masked wherever they occur. Also masks private keys in PEM, tokens, and
 * members with the name of a secret.
 *
 * @throws SyntaxError for invalid JSON
 */
export function withoutSecrets(text: string): string {
  const document: Json = JSON.parse(text);
  const marked: Marked = { texts: new Set(), members: new Map() };
  collect(document, marked);
  const known = [...marked.texts].sort((left, right) => right.length - left.length);
  return JSON.stringify(cleaned(document, "", known, marked.members));
}

/** Members with the outputs of a state or a plan. */
const outputMembers = new Set(["outputs", "output_changes"]);

/**
 * Collects the values that are marked as sensitive, in every format that Terraform uses.
 *
 * The texts of an output are masked in the output only: Terraform also marks a secret where it comes from, and the
 * other texts of an output, for example hostnames, occur everywhere.
 */
function collect(value: Json, marked: Marked): void {
  if (!isContainer(value)) return;
  if (!Array.isArray(value)) {
    const { sensitive_values, before_sensitive, after_sensitive, sensitive, expression } = value;
    take(value, "values", sensitive_values, marked);
    take(value, "before", before_sensitive, marked);
    take(value, "after", after_sensitive, marked);
    if (sensitive === true) {
      // Outputs and variables; in a configuration, the value of an output is in `expression`.
      take(value, "value", true, marked);
      take(value, "default", true, marked);
      take(expression, "constant_value", true, marked);
    }
    const { attributes, sensitive_attributes: paths, variables, configuration } = value;
    if (Array.isArray(paths)) for (const path of paths) takeAtPath(attributes, path, marked);
    takeVariables(variables, configuration, marked);
  }
  for (const [name, member] of Object.entries(value)) {
    collect(member, outputMembers.has(name) ? { ...marked, texts: new Set() } : marked);
  }
}

/** @param marks true if the whole member is sensitive, otherwise the marks of its own members */
function take(holder: Json, name: string, marks: Json, marked: Marked): void {
  const value = memberOf(holder, name);
  if (isContainer(value)) {
    const markedMembers =
      marks === true ? Object.keys(value).map((member) => [member, true] as const) : membersOf(marks);
    for (const [member, mark] of markedMembers) take(value, member, mark, marked);
  } else if (marks === true && isContainer(holder)) {
    marked.members.set(holder, (marked.members.get(holder) ?? new Set()).add(name));
    if (typeof value === "string" && value.length >= shortestSecret) marked.texts.add(value);
  }
}

interface Step {
  readonly value?: string | number | { readonly value?: string | number };
}

/** Marks the value at a path of a state's `sensitive_attributes`. */
function takeAtPath(attributes: Json, path: Json, marked: Marked): void {
  const steps = (Array.isArray(path) ? (path as readonly Step[]) : []).map(({ value }) =>
    String(typeof value === "object" ? value.value : value),
  );
  const holder = steps.slice(0, -1).reduce<Json>(memberOf, attributes);
  take(holder, steps.at(-1) ?? "", true, marked);
}

function takeVariables(variables: Json, configuration: Json, marked: Marked): void {
  const declared = memberOf(memberOf(configuration, "root_module"), "variables");
  for (const [name, variable] of membersOf(declared)) {
    if (memberOf(variable, "sensitive") === true) take(memberOf(variables, name), "value", true, marked);
  }
}

function cleaned(value: Json, name: string, known: readonly string[], members: Marked["members"]): Json {
  if (typeof value === "string") {
    if (secretName.test(name) && value !== "") return mask;
    return withoutSecretText(known.reduce((text, secret) => text.replaceAll(secret, mask), value));
  }
  if (!isContainer(value)) return value;
  const isMarked = (member: string) => members.get(value)?.has(member) === true;
  const keep = (member: string, item: Json, itsName: string) =>
    isMarked(member) && item !== null && item !== "" ? mask : cleaned(item, itsName, known, members);
  if (Array.isArray(value)) return value.map((item, index) => keep(String(index), item, name));
  // A configuration has the constants of its attributes one level below their names.
  const nameOf = (member: string) => (member === "constant_value" ? name : member);
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [member, keep(member, item, nameOf(member))]),
  );
}

function isContainer(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null;
}

function memberOf(value: Json, name: string): Json {
  return isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function membersOf(value: Json): readonly (readonly [string, Json])[] {
  return isContainer(value) ? Object.entries(value) : [];
}
