/** Plans, states and logs of Terraform as they may be handed to others: what shows that a migration went well is in them, keys and tokens are not. */
import { maskSecrets } from "../quote";

/** What stands in the place of a secret. */
const mask = "(secret, left out)";

/** Private keys in PEM, with line ends as they are or as JSON writes them. */
const privateKey = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;

/** Members that hold nothing but secrets, whoever says so. */
const secretName =
  /^(?:access_token|client_secret|id_token|password|pem_private_key|private_key|private_key_pem|refresh_token|secret|token)$/;

/** Shorter ones are words that stand anywhere. */
const shortestSecret = 8;

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** A text without private keys and tokens. */
export function withoutSecretText(text: string): string {
  return maskSecrets(text.replace(privateKey, mask));
}

/**
 * A plan or a state as Terraform writes it, in JSON. What Terraform itself calls sensitive is masked wherever it stands, as are private keys in PEM, tokens,
 * and members that are called as secrets are.
 *
 * @throws SyntaxError for what is not JSON
 */
export function withoutSecrets(text: string): string {
  const document: Json = JSON.parse(text);
  const secrets = new Set<string>();
  collect(document, secrets);
  const known = [...secrets].sort((one, other) => other.length - one.length);
  return JSON.stringify(cleaned(document, "", known));
}

/** Finds what is marked as sensitive, in every way in which Terraform marks it. */
function collect(value: Json, secrets: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const { sensitive_values: marks, values, before, after, before_sensitive, after_sensitive } = value as JsonObject;
    take(values, marks, secrets);
    take(before, before_sensitive, secrets);
    take(after, after_sensitive, secrets);
    const {
      sensitive,
      value: own,
      attributes,
      sensitive_attributes: paths,
      variables,
      configuration,
    } = value as JsonObject;
    if (sensitive === true) take(own, true, secrets);
    if (Array.isArray(paths)) for (const path of paths) take(atPath(attributes, path), true, secrets);
    takeVariables(variables, configuration, secrets);
  }
  for (const member of Object.values(value)) collect(member, secrets);
}

/** @param marks true where all of the value is sensitive, else marks of its members */
function take(value: Json, marks: Json, secrets: Set<string>): void {
  if (marks === true) {
    if (typeof value === "string") {
      if (value.length >= shortestSecret) secrets.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) take(member, true, secrets);
    }
  } else if (typeof marks === "object" && marks !== null && typeof value === "object" && value !== null) {
    for (const [name, mark] of Object.entries(marks)) take((value as JsonObject)[name], mark, secrets);
  }
}

interface Step {
  readonly value?: string | number | { readonly value?: string | number };
}

/** What a path of a state's `sensitive_attributes` leads to. */
function atPath(attributes: Json, path: Json): Json {
  return (Array.isArray(path) ? (path as readonly Step[]) : []).reduce<Json>((at, { value }) => {
    const key = typeof value === "object" ? value.value : value;
    return typeof at === "object" && at !== null && key !== undefined ? (at as JsonObject)[key] : undefined;
  }, attributes);
}

function takeVariables(variables: Json, configuration: Json, secrets: Set<string>): void {
  const { root_module: root } = (configuration ?? {}) as { readonly root_module?: JsonObject };
  for (const [name, { sensitive }] of Object.entries((root?.variables ?? {}) as Record<string, JsonObject>)) {
    if (sensitive === true) take((variables as Record<string, JsonObject> | undefined)?.[name]?.value, true, secrets);
  }
}

function cleaned(value: Json, name: string, known: readonly string[]): Json {
  if (typeof value === "string") {
    if (secretName.test(name) && value !== "") return mask;
    return withoutSecretText(known.reduce((text, secret) => text.replaceAll(secret, mask), value));
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, name, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, cleaned(item, member, known)]));
}
