/** Plans, states and logs of Terraform as they may be handed to others: what shows that a migration went well is in them, keys and tokens are not. */
import { maskSecrets } from "../../text/quote";

/** What stands in the place of a secret. */
const mask = "(secret, left out)";

/** Private keys in PEM, with line ends as they are or as JSON writes them. */
const privateKey = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;

/** Members that hold nothing but secrets, whoever says so. */
const secretName =
  /^(?:access_token|client_secret|id_token|password|pem_private_key|private_key|private_key_pem|refresh_token|secret|token)$/;

/** Shorter ones are words that stand anywhere: they are left out at their own places alone. */
const shortestSecret = 8;

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** What a document marks as sensitive. */
interface Marked {
  /** Texts that are left out wherever they stand. */
  readonly texts: Set<string>;
  /** Names of members, by the object or list that they are of. */
  readonly members: Map<object, Set<string>>;
}

/** A text without private keys and tokens. */
export function withoutSecretText(text: string): string {
  return maskSecrets(text.replace(privateKey, mask));
}

/**
 * A plan or a state as Terraform writes it, in JSON. What Terraform itself calls sensitive is masked, texts of at least eight characters wherever they stand; as
 * are private keys in PEM, tokens, and members that are called as secrets are.
 *
 * @throws SyntaxError for what is not JSON
 */
export function withoutSecrets(text: string): string {
  const document: Json = JSON.parse(text);
  const marked: Marked = { texts: new Set(), members: new Map() };
  collect(document, marked);
  const known = [...marked.texts].sort((one, other) => other.length - one.length);
  return JSON.stringify(cleaned(document, "", known, marked.members));
}

/** Finds what is marked as sensitive, in every way in which Terraform marks it. */
function collect(value: Json, marked: Marked): void {
  if (!isContainer(value)) return;
  if (!Array.isArray(value)) {
    const { sensitive_values, before_sensitive, after_sensitive, sensitive, expression } = value;
    take(value, "values", sensitive_values, marked);
    take(value, "before", before_sensitive, marked);
    take(value, "after", after_sensitive, marked);
    if (sensitive === true) {
      // Outputs and variables; what a configuration says of outputs is an expression.
      take(value, "value", true, marked);
      take(value, "default", true, marked);
      take(expression, "constant_value", true, marked);
    }
    const { attributes, sensitive_attributes: paths, variables, configuration } = value;
    if (Array.isArray(paths)) for (const path of paths) takeAtPath(attributes, path, marked);
    takeVariables(variables, configuration, marked);
  }
  for (const member of Object.values(value)) collect(member, marked);
}

/** @param marks true where all of the member is sensitive, else marks of its own members */
function take(holder: Json, name: string, marks: Json, marked: Marked): void {
  const value = memberOf(holder, name);
  if (isContainer(value)) {
    const own = marks === true ? Object.keys(value).map((member) => [member, true] as const) : membersOf(marks);
    for (const [member, mark] of own) take(value, member, mark, marked);
  } else if (marks === true && isContainer(holder)) {
    marked.members.set(holder, (marked.members.get(holder) ?? new Set()).add(name));
    if (typeof value === "string" && value.length >= shortestSecret) marked.texts.add(value);
  }
}

interface Step {
  readonly value?: string | number | { readonly value?: string | number };
}

/** Takes what a path of a state's `sensitive_attributes` leads to. */
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
  const own = (member: string, item: Json, itsName: string) =>
    isMarked(member) && item !== null && item !== "" ? mask : cleaned(item, itsName, known, members);
  if (Array.isArray(value)) return value.map((item, index) => own(String(index), item, name));
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, own(member, item, member)]));
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
