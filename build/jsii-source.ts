import { exchangeKit } from "./exchange-kit";

const messagesOnly = "super(problems.map((problem) => problem.message)";
const messagesWithCodes = `super(problems.map(({ code, message: text }) => text + " [" + code + "]")`;

/** Names of unions of data types. */
const unions =
  "CertificateAuthorization|CertificateSpec|DnsSpec|PlannedCertificate|PlannedMap|PlannedProxy|PreviousRecords";
/** Unions of data types without a name. */
const unnamedUnions =
  /\bstring\[\] \| AddressesSpec\b|\bstring \| (?:ZoneSpec|CloudDnsZone \| DnsManagedZone)\b|\bPlannedIssuance \| ExistingIssuance\b/g;
/** Lists in props whose items are data types. */
const lists = /\b(?:AdoptedTarget(?:Https|Ssl)Proxy|Serving(?:Proxy|Certificate))Spec(?=\[\])/g;
/** Data as in `migration.yaml`, in the parameters of `fromSpec`. */
const parameters = /(?<=\bspec: )(?:MigrationSpec|LoadBalancerSpec)(?=[,)])/g;

/** An example in a comment, with the empty line before it. */
const example = /^(?: *\*\n)? *\* @example\n *\* ```ts\n(?: *\*(?! ```).*\n)* *\* ```\n/gm;

/**
 * Rewrites a source file for jsii, which compiles it for other languages with the package names of CDK Terrain.
 *
 * - jsii has no type for lists that can't change: `readonly string[]` becomes `string[]`. Each language copies a list
 *   that it passes.
 * - jsii has no type for text that has been checked: `Hostname` becomes `string`.
 * - A data type in a union, in a list of props, or in the parameter of a `fromSpec` becomes `any`, so that the checks
 *   of the plan read what the user wrote. Otherwise jsii turns a map without type (a dict of Python) into the first
 *   data type that it fits. The keys that this type lacks are lost, `kind` among them.
 * - Comments have no code of TypeScript and no links, because jsii copies them into every language.
 * - A message of an error names its codes, because jsii passes nothing else of an error.
 * - The types inside functions are not checked again, because `npm run check:types` checks them.
 *
 * @param text TypeScript
 */
export function jsiiSource(text: string): string {
  const plain = exchangeKit(text)
    .replace(/\breadonly ((?:\w+|\([^()]*\))\[\])/g, "$1")
    .replace(/^export type Hostname = .*;$/m, "export type Hostname = string;")
    .replace(new RegExp(`^export type (${unions}) =[^;]*;`, "gm"), "export type $1 = any;")
    .replace(unnamedUnions, "any")
    .replace(lists, "any")
    .replace(parameters, "any")
    .replace(example, "")
    .replace(/\{@link (\w+)Name\s*\}/g, "`$1`")
    .replace(/\{@link ([\w.]+)\s*\}/g, "`$1`")
    .replace(messagesOnly, messagesWithCodes);
  return `// @ts-nocheck\n${plain}`;
}
