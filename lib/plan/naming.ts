import { groupBy } from "../json/group-by";
import { quote } from "../text/quote";
import { listFirst } from "../text/words";
import type { Findings } from "./findings";
import type { MigrationPlan, PlannedIssuanceConfig, PlannedProxy } from "./model";
import { isResourceName, nameEnding } from "./names";
import { isReference } from "./shape/reference";

/**
 * Kind of a resource whose name {@link INaming} returns. The kind `map` is a certificate map, and `entry` is an entry
 * of a map. The kinds `trustConfig` and `serverTlsPolicy` belong to client authentication, `issuanceConfig` to a
 * private CA.
 */
export type NamedResourceKind =
  | "authorization"
  | "certificate"
  | "issuanceConfig"
  | "map"
  | "entry"
  | "targetHttpsProxy"
  | "targetSslProxy"
  | "forwardingRule"
  | "trustConfig"
  | "serverTlsPolicy";

/** Names the resources of a migration, for organizations with a naming convention. */
export interface INaming {
  /**
   * Returns the name of a resource: 1 to 63 characters of a-z, 0-9 and `-`, a letter first and no `-` last. The same
   * arguments must give the same name in every synthesis. Different suggestions of a kind must give different names.
   *
   * The last 12 characters of a suggestion are a digest of the resource's identity. Keep them: they differ for each
   * resource, and Terraform creates a replacement of a certificate before it deletes the previous one, so that both
   * need different names.
   *
   * @param kind kind of the resource. Some kinds contain capital letters, which a name can't have.
   * @param suggested the name without a convention, at most 63 characters. A `namePrefix` is part of it.
   */
  name(kind: NamedResourceKind, suggested: string): string;
}

const kindWords: Readonly<Record<NamedResourceKind, string>> = {
  authorization: "authorization",
  certificate: "certificate",
  issuanceConfig: "issuance config",
  map: "map",
  entry: "map entry",
  targetHttpsProxy: "target HTTPS proxy",
  targetSslProxy: "target SSL proxy",
  forwardingRule: "forwarding rule",
  trustConfig: "trust config",
  serverTlsPolicy: "server TLS policy",
};

/** Kinds with identities in the digest that a change of the resource changes: a replacement has another suggestion. */
const replacedKinds: ReadonlySet<NamedResourceKind> = new Set(["certificate", "issuanceConfig", "serverTlsPolicy"]);

/** Most resources with the same name that a message lists. */
const mostInMessage = 5;

/** Asks a convention for names, and checks what it returns. Without a convention, a suggestion is the name. */
export class Namer {
  readonly #naming: INaming | undefined;
  readonly #findings: Findings;
  readonly #names = new Map<string, string>();
  readonly #withoutDigest = new Set<NamedResourceKind>();

  /** @param naming of unknown type, because code without types can pass any value */
  constructor(naming: unknown, findings: Findings) {
    this.#findings = findings;
    this.#naming = isNaming(naming) ? naming : undefined;
    if (naming !== undefined && this.#naming === undefined) {
      findings.report("naming-invalid", "/naming", "'naming' has no method 'name'");
    }
  }

  /** Returns the name of a resource; the suggestion if the convention returns an invalid name. */
  nameOf(kind: NamedResourceKind, suggested: string): string {
    if (this.#naming === undefined) return suggested;
    const key = `${kind} ${suggested}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#checked(kind, suggested, this.#naming.name(kind, suggested));
    this.#names.set(key, name);
    return name;
  }

  #checked(kind: NamedResourceKind, suggested: string, returned: unknown): string {
    const what = `'naming' returned ${shown(returned)} for the ${kindWords[kind]} with the suggestion '${suggested}'`;
    if (typeof returned !== "string" || !isResourceName(returned)) {
      this.#findings.report("resource-name-invalid", "/naming", what);
      return suggested;
    }
    if (replacedKinds.has(kind) && !returned.includes(nameEnding(suggested)) && !this.#withoutDigest.has(kind)) {
      this.#withoutDigest.add(kind);
      const names = `the names of the kind '${kind}' that 'naming' returns lack the digest of the suggestion`;
      this.#findings.report("resource-name-without-digest", "/naming", names);
    }
    return returned;
  }
}

function isNaming(value: unknown): value is INaming {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "name") === "function";
}

function shown(returned: unknown): string {
  if (typeof returned !== "string") return returned === null ? "null" : `a value of the type ${typeof returned}`;
  return `${quote(returned.slice(0, 100))}${returned.length > 63 ? ` (${returned.length} characters)` : ""}`;
}

/** The name of a resource of a plan, with everything within which the name must be unique. */
export interface PlannedName {
  readonly kind: NamedResourceKind;
  readonly name: string;
  /** The resource in messages; unique within a plan. */
  readonly resource: string;
  /** Whether another migration may have the same resource: an authorization, an entry, an adopted proxy. */
  readonly isShared: boolean;
  readonly project: string | undefined;
  /** `global` or a region. */
  readonly location: string;
}

type NamedParts = Pick<
  MigrationPlan,
  "location" | "authorizations" | "certificates" | "issuanceConfigs" | "map" | "entries" | "attachment"
>;

/** Returns the names of all resources of a plan, of created resources and of adopted proxies. */
export function namesInPlan(plan: NamedParts): readonly PlannedName[] {
  const { location, map } = plan;
  const nameOf = (kind: NamedResourceKind, name: string, of: string, project: string | undefined): PlannedName => {
    const isShared = kind === "authorization" || kind === "entry";
    return { kind, name, resource: `${kindWords[kind]} ${of}`, isShared, project, location };
  };
  return [
    ...plan.authorizations.map(({ name, domain, project }) => nameOf("authorization", name, `of '${domain}'`, project)),
    ...plan.certificates.flatMap((certificate) =>
      certificate.kind === "existing"
        ? []
        : [nameOf("certificate", certificate.name, `'${certificate.id}'`, certificate.project)],
    ),
    ...(plan.issuanceConfigs ?? []).map((config) =>
      nameOf("issuanceConfig", config.name, describeConfig(config), config.project),
    ),
    ...(map?.kind === "new" ? [nameOf("map", map.name, "of the migration", map.project)] : []),
    ...plan.entries.map(({ name, hostname }) => nameOf("entry", name, `of '${hostname}'`, map?.project)),
    ...namesOfAttachment(plan, nameOf),
  ];
}

function namesOfAttachment(
  { attachment: { proxies, forwardingRules, clientAuthentications = [], project } }: NamedParts,
  nameOf: (kind: NamedResourceKind, name: string, of: string, project: string | undefined) => PlannedName,
): readonly PlannedName[] {
  return [
    ...proxies.map((proxy) => {
      const ownProject = "project" in proxy.spec ? proxy.spec.project : undefined;
      const named = nameOf(kindOfProxy(proxy), proxy.name, `'${proxy.id}'`, ownProject ?? project);
      return { ...named, isShared: isAdopted(proxy) };
    }),
    ...forwardingRules.map(({ name, id }) => nameOf("forwardingRule", name, `'${id}'`, project)),
    ...clientAuthentications.flatMap((clients) => [
      nameOf("trustConfig", clients.trustConfigName, `of proxy '${clients.proxyId}'`, clients.project),
      nameOf("serverTlsPolicy", clients.policyName, `of proxy '${clients.proxyId}'`, clients.project),
    ]),
  ];
}

/** Two configs of a plan differ in one of these values. */
function describeConfig(config: PlannedIssuanceConfig): string {
  const { caPool, lifetimeSeconds, rotationWindowPercentage, keyAlgorithm } = config;
  return `of '${caPool}' (${lifetimeSeconds} s, ${rotationWindowPercentage} %, ${keyAlgorithm})`;
}

function kindOfProxy({ kind }: PlannedProxy): "targetHttpsProxy" | "targetSslProxy" {
  return kind === "newHttps" || kind === "adoptedHttps" ? "targetHttpsProxy" : "targetSslProxy";
}

function isAdopted({ kind }: PlannedProxy): boolean {
  return kind === "adoptedHttps" || kind === "adoptedSsl";
}

/**
 * Reports resources of a plan with the same name in the same place.
 *
 * @param identityOf returns the identity of a value that may be a reference
 */
export function checkNamesDiffer(
  names: readonly PlannedName[],
  identityOf: (value: string | undefined) => string | null,
  findings: Findings,
): void {
  const placeOf = ({ kind, name, project, location }: PlannedName) =>
    JSON.stringify([kind, location, identityOf(project), isReference(name) ? identityOf(name) : name]);
  for (const same of groupBy(names, placeOf).values()) {
    const resources = [...new Set(same.map(({ resource }) => resource))].sort();
    if (resources.length < 2) continue;
    const what = `${listFirst(resources, mostInMessage)} have the same name '${same[0]?.name}'`;
    findings.report("resource-name-repeated", "/naming", what);
  }
}
