import { isIPv6 } from "node:net";

/** Values that differ between sides and runs, with the placeholder that replaces them. */
export interface Identity {
  readonly project: string;
  readonly prefix: string;
  /** Domain below which a run creates records, without the prefix. */
  readonly domain: string;
  readonly zone: string;
}

/** Label that the suite puts on its resources, where the API has labels. */
export const suiteLabel = "conformance";

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]+)-----[\s\S]*?(?:-----END \1-----\n?|$)/g, "{pem}"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "{time}"],
  [/\b[\w-]+(\.[\d\w]+)?(?=\.authorize\.certificatemanager\.goog)/g, "{token}"],
  [/(?<=_acme-challenge_)[a-z0-9]{8,}/g, "{token}"],
  [/(?<=\/operations\/)[\w.-]+/g, "{operation}"],
  [/\boperation-[\w-]{8,}/g, "{operation}"],
  [
    /\bya29\.[\w.-]+|\bAIza[\w-]{20,}|\bBearer [\w.~+/-]+=*|\b1\/\/0[\w-]+|\bGOCSPX-[\w-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
    "{secret}",
  ],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "{user}"],
  [/(?<=\bprojects?(?:_number|Number|=|["/ :#]){1,4})\d{6,}\b/g, "{project}"],
  [/(?<=\b(?:organizations|folders|billingAccounts)\/)[\w-]+/g, "{id}"],
  // Numbers of projects have 10 to 13 digits.
  [/(?<![\w.])\d{10,13}(?![\w.])/g, "{number}"],
  [/https:\/\/(?:www|compute)\.googleapis\.com\/|http:\/\/127\.0\.0\.1:\d+\/|https:\/\/127\.0\.0\.1:\d+\//g, "{root}"],
];

/** Fields whose values belong to one run. */
const fields: Readonly<Record<string, string>> = {
  etag: "{etag}",
  fingerprint: "{fingerprint}",
  labelFingerprint: "{fingerprint}",
  nextPageToken: "{page token}",
  id: "{id}",
  targetId: "{id}",
  selfLinkWithId: "{id}",
  user: "{user}",
  managedZone: "{zone}",
};

/** Addresses that documents and examples use (RFC 5737, RFC 3849), and loopback: the suite itself writes them. */
const documentation = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:/;
const ipv6 = /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi;
const ipv4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;

/**
 * Returns a value without what differs between sides and runs: project, prefix, domain, times, tokens, keys, addresses
 * and the label of the suite. Fields are in alphabetical order.
 */
export function normalize(value: unknown, identity: Identity): unknown {
  const names: readonly (readonly [string, string])[] = [
    [identity.prefix, "{prefix}"],
    [identity.domain, "{domain}"],
    [identity.project, "{project}"],
  ];
  const zone = new RegExp(`(?<=managedZones/|\\bnamed ')${escaped(identity.zone)}(?=[/?']|$)`, "g");
  const text = (given: string) => {
    const known = names
      .reduce((now, [name, placeholder]) => replaceName(now, name, placeholder), given)
      .replace(zone, "{zone}");
    const masked = patterns.reduce((now, [pattern, placeholder]) => now.replace(pattern, placeholder), known);
    const masking = (address: string) => (documentation.test(address) ? address : "{ip}");
    return masked.replace(ipv4, masking).replace(ipv6, (found) => (isIPv6(found) ? masking(found) : found));
  };
  return walk(value, "", text);
}

function walk(value: unknown, field: string, text: (given: string) => string): unknown {
  if (typeof value === "string") {
    const placeholder = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return placeholder ?? text(value);
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, field, text));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]): [string, unknown] => [
      text(name),
      walk(isLabels(name) ? withoutSuiteLabel(item) : item, name, text),
    ])
    .filter(([name, item]) => !(isLabels(name) && item === undefined));
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const isLabels = (field: string) => field === "labels" || field === "userLabels";

/** Returns labels without the label of the suite; undefined if there are no others. */
function withoutSuiteLabel(labels: unknown): unknown {
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, suiteLabel)) return labels;
  const { [suiteLabel]: _, ...others } = labels as Readonly<Record<string, unknown>>;
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Replaces a name where it is not part of a longer word. */
function replaceName(text: string, name: string, placeholder: string): string {
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`, "g"), placeholder);
}

/** Escapes what has a meaning in a regular expression. */
function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
