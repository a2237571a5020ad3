import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { TerraformElement, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import type { Code } from "../findings/codes";
import { type CodedFinding, findingsOf } from "../findings/finding";
import { isFields } from "../json/fields";
import { pointerTo } from "../json/pointer";
import { type CertificateSpec, checks, type INaming, type MigrationSpec } from "../plan";
import { type Description, isPlain, shapeMistakes } from "../plan/shape";
import { quote } from "../text/quote";
import type { Certificate } from "./certificate";
import { constructErrors } from "./codes";
import { withZoneProjects } from "./dns-publication";
import { isOfOwnEntry, requireOwnKit } from "./kit";
import type { AppTargetProxy } from "./load-balancer";
import { migrationPath } from "./migration-path";
import type { ManagedCertMigrationProps } from "./migration-props";
import { type MigrationProviders, readProviders } from "./migration-providers";
import { plainOf } from "./plain";
import { definedArguments, fixLogicalId, inSameStack, referTo, tokenReader } from "./reference";

const finding = findingsOf(constructErrors);
const checkFinding = findingsOf(checks);

/** The props of a migration as data, whose values the plan checks. */
export interface ReadProps {
  /** May have any values: props from `JSON.parse` or from the app's context have no checked types. */
  readonly given: MigrationSpec;
  /** Props that are no data, and are not the objects of this package that they should be. */
  readonly problems: readonly CodedFinding<Code>[];
  /** Providers of props that are not google providers of the stack; no other mistake follows from them. */
  readonly mistakesOfProviders: readonly CodedFinding<Code>[];
  readonly providers: MigrationProviders;
  readonly appProxies: readonly AppTargetProxy[];
  /** Whether the migration has outputs. */
  readonly hasOutputs: boolean;
  /** The plan refuses what is not an object with a method `name`. */
  readonly naming: INaming | undefined;
}

const problemsOf = new WeakMap<object, readonly CodedFinding<Code>[]>();

/**
 * Returns props with the problems that a construct found in its own props, so that the migration reports them together
 * with all others.
 */
export function withProblems<Props extends object>(props: Props, problems: readonly CodedFinding<Code>[]): Props {
  problemsOf.set(props, problems);
  return props;
}

/**
 * Reads the props of a migration, without trusting their types.
 *
 * @throws InputError `kit-mixed` if an object of the props is of the other kit
 */
export function readProps(scope: Construct, props: ManagedCertMigrationProps): ReadProps {
  const path = migrationPath(scope);
  const {
    name = path,
    dns,
    certificates,
    loadBalancer,
    existingCertificateMap,
    existingAuthorizations,
    provider,
    outputs = true,
    naming,
    ...rest
  } = plainOf(Object(props) as ManagedCertMigrationProps);
  const problems = [...(problemsOf.get(Object(props)) ?? [])];
  if (/[$%]\{/.test(path)) {
    problems.push(
      finding("construct-path-invalid", "/name", `the construct's path ${quote(path)} contains '\${' or '%{'`),
    );
  }
  const hasDns = isOfOwnEntry(dns, "DnsPublication", `${path}: 'dns'`);
  if (!hasDns) problems.push(mistakeOfDns(dns));
  if (hasDns && dns.spec?.kind === "custom" && dns.publisher === undefined) {
    problems.push(finding("publisher-missing", "/dns/kind", "'dns' is of the kind 'custom', and has no publisher"));
  }
  // LoadBalancer.fromSpec(undefined) would have no proxy.
  const hasBalancer =
    loadBalancer === undefined ||
    (isOfOwnEntry(loadBalancer, "LoadBalancer", `${path}: 'loadBalancer'`) && loadBalancer.spec !== undefined);
  if (!hasBalancer) {
    const remedy =
      "use LoadBalancer.globalExternal or another factory, or omit 'loadBalancer' for a map without attachment";
    problems.push(
      checkFinding("value-wrong-type", "/loadBalancer", "'loadBalancer' is not a LoadBalancer", { remedy }),
    );
  }
  problems.push(...mistakesOfOutputs(scope, outputs));
  const { providers, mistakes } = readProviders(scope, provider, hasDns ? dns : undefined);
  const given = definedArguments<MigrationSpec>({
    ...rest,
    name,
    dns: hasDns ? withZoneProjects(scope, dns, rest.project, providers) : { kind: "external" },
    certificates: specsOf(scope, certificates, problems),
    loadBalancer: hasBalancer ? loadBalancer?.spec : undefined,
    existingCertificateMap: existing(scope, existingCertificateMap, "existingCertificateMap", mapClass),
    existingAuthorizations: authorizationsOf(scope, existingAuthorizations),
  });
  return {
    given,
    problems,
    mistakesOfProviders: mistakes,
    providers,
    naming,
    appProxies: (hasBalancer ? loadBalancer?.appProxies : undefined) ?? [],
    hasOutputs: outputs,
  };
}

function mistakeOfDns(dns: unknown): CodedFinding<Code> {
  const remedy = "use DnsPublication.cloudDns, DnsPublication.custom or DnsPublication.external";
  if (dns === undefined) return checkFinding("property-missing", "/dns", "the migration lacks 'dns'", { remedy });
  return checkFinding("value-wrong-type", "/dns", "'dns' is not a DnsPublication", { remedy });
}

const descriptionOfOutputs: Description = {
  readSchema: () => ({ type: "object", properties: { outputs: { type: "boolean" } } }),
  subject: "the migration",
};

function mistakesOfOutputs(scope: Construct, outputs: unknown): readonly CodedFinding<Code>[] {
  // Compiling the description takes longer than a whole small synthesis.
  if (typeof outputs === "boolean") return [];
  const mistakes = shapeMistakes({ outputs }, tokenReader(TerraformStack.of(scope)), descriptionOfOutputs);
  return mistakes.map(({ explain }) => ({ severity: "error", subject: "/outputs", remedy: "", ...explain() }));
}

/**
 * Returns the certificates as data. An item that is not a Certificate is reported, and an item without names takes its
 * place, so that the places of all others stay.
 */
function specsOf(
  scope: Construct,
  certificates: readonly Certificate[],
  problems: CodedFinding<Code>[],
): readonly CertificateSpec[] {
  // The plan refuses what is not a list.
  if (!Array.isArray(certificates)) return certificates as unknown as readonly CertificateSpec[];
  return certificates.map((certificate: Certificate, index) => {
    const what = `certificates[${index}]`;
    if (isOfOwnEntry(certificate, "Certificate", `${migrationPath(scope)}: '${what}'`)) return certificate._spec;
    const remedy = "use Certificate.managed, Certificate.fromSpec or another factory";
    const at = pointerTo("/certificates", index);
    problems.push(checkFinding("value-wrong-type", at, `'${what}' is not a Certificate`, { remedy }));
    return {};
  });
}

/** Returns the Terraform type of a construct; undefined for any other value. */
export function typeOfValue(value: unknown): unknown {
  return TerraformElement.isTerraformElement(value) ? Reflect.get(value, "terraformResourceType") : undefined;
}

/** A class of existing resources, and the type of resources of the app that stand for it. */
interface ExistingClass {
  readonly name: "CertificateMap" | "DnsAuthorization";
  readonly resourceType: string;
}

const mapClass = { name: "CertificateMap", resourceType: CertificateManagerCertificateMap.tfResourceType } as const;
const authorizationClass = {
  name: "DnsAuthorization",
  resourceType: CertificateManagerDnsAuthorization.tfResourceType,
} as const;

/**
 * Returns the id of an existing resource, or any other value as it is.
 *
 * @param prop names the property in messages
 */
function existing(scope: Construct, value: unknown, prop: string, { name, resourceType }: ExistingClass) {
  const what = `${migrationPath(scope)}: '${prop}'`;
  if (isOfOwnEntry(value, name, what)) return String(Reflect.get(value as object, "id"));
  // Another construct stays an object, which the plan refuses.
  if (typeOfValue(value) !== resourceType) return value as string | undefined;
  const construct = value as CertificateManagerCertificateMap | CertificateManagerDnsAuthorization;
  requireOwnKit(construct, what);
  fixLogicalId(construct);
  return inSameStack(scope, construct) ? referTo(construct, "id") : construct.id;
}

/** Returns the ids of existing authorizations by domain, or any other value as it is. */
function authorizationsOf(
  scope: Construct,
  given: ManagedCertMigrationProps["existingAuthorizations"],
): MigrationSpec["existingAuthorizations"] {
  if (!isFields(given) || !isPlain(given)) return given as MigrationSpec["existingAuthorizations"];
  const prop = "existingAuthorizations";
  const ids = Object.entries(given).map(([domain, value]) => [
    domain,
    existing(scope, value, prop, authorizationClass),
  ]);
  return Object.fromEntries(ids) as MigrationSpec["existingAuthorizations"];
}

/**
 * Refuses tokens in data, where only text in their form can come from: it would become another value of the app.
 *
 * @throws InputError `reference-not-allowed`
 */
export function refuseTokens(data: unknown, id: string): void {
  const places = tokensIn(data, "");
  if (places.length === 0) return;
  const message = (place: string) =>
    `${id}: ${quote(place)} contains a token of the kit, and data has none: pass the props to the constructor`;
  throw new InputError(places.map((place) => ({ code: "reference-not-allowed", message: message(place) })));
}

/** Depth below which the description has no value, so that the plan refuses what is there. */
const deepest = 16;

/** Returns the JSON pointers of texts in the form of a token. */
function tokensIn(data: unknown, at: string, depth = 0): readonly string[] {
  if (typeof data === "string") return data.includes("TfToken[") ? [at] : [];
  if (depth > deepest || TerraformElement.isTerraformElement(data)) return [];
  if (Array.isArray(data)) return data.flatMap((item, index) => tokensIn(item, pointerTo(at, index), depth + 1));
  if (!isFields(data) || !isPlain(data)) return [];
  return Object.entries(data).flatMap(([key, value]) => tokensIn(value, pointerTo(at, key), depth + 1));
}
