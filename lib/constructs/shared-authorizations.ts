import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { type TerraformProvider, type TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import type { Problem } from "../errors";
import type { MigrationPlan, PlannedAuthorization, PlannedRecord, PlannedZone } from "../plan";
import {
  type ClaimedAuthorization,
  claimedTwice,
  providersThatDiffer,
  publicationBy,
  publicationsThatDiffer,
  type SharedAuthorization,
  settingsThatDiffer,
} from "./authorization-conflicts";
import { packageVersion } from "./installed";
import { migrationPath } from "./migration-path";
import { type MigrationProviders, providerName } from "./migration-providers";
import { publishWith } from "./published-records";
import { RecordToPublish } from "./record-publisher";
import {
  type Addressable,
  addDependencies,
  addDependency,
  addressOf,
  commonArguments,
  definedArguments,
  identityIn,
  referTo,
} from "./reference";
import type { SharedUsers } from "./shared-users";
import { type RawAuthorization, rawAuthorizationsFor } from "./stack-checks";
import type { StackProjects } from "./stack-provider";

/** Settings of an authorization and its record, from the migration that needs them. */
export interface AuthorizeOptions {
  readonly enableApis: boolean;
  readonly timeouts: { readonly create: string; readonly update: string; readonly delete: string } | undefined;
  readonly providers: MigrationProviders;
}

/** What identifies an authorization and its record, together with the project of the provider. */
type AuthorizedPlace = Pick<PlannedRecord, "domain" | "location" | "project">;

type ZoneWithProvider = readonly [PlannedZone, TerraformProvider | undefined];

/** Key of the authorizations of all stacks, in the app. */
const appClaims = Symbol.for(`cdktf-google-cert-migration/claims/${packageVersion}`);
/** Marks the authorizations that this version of the package created, in all stacks. */
const ownAuthorization = Symbol.for(`cdktf-google-cert-migration/authorization/${packageVersion}`);

type Claims = Map<string, readonly ClaimedAuthorization[]>;

/**
 * Returns the authorizations of all stacks of an app, by domain and location. They are in the app itself, so that
 * several copies of this package share them.
 */
function claimsOf(app: IConstruct): Claims {
  const known: Claims | undefined = Reflect.get(app, appClaims);
  if (known !== undefined) return known;
  const claims: Claims = new Map();
  Object.defineProperty(app, appClaims, { value: claims });
  return claims;
}

function isOwnAuthorization(node: IConstruct): boolean {
  return ownAuthorization in node;
}

/** Enables an API in a project, and returns the resource that enables it. */
type EnableApi = (service: string, user: ApiUser) => Addressable;

/** A migration that needs an API of a project. */
export interface ApiUser {
  readonly owner: Construct;
  readonly project: string | undefined;
  /** Provider with an alias; undefined for the stack's google provider. */
  readonly provider: TerraformProvider | undefined;
}

/** Authorizations of a stack with their CNAMEs: one for each project, location and domain. */
export class SharedAuthorizations {
  readonly #authorizations = new Map<string, SharedAuthorization>();
  readonly #scope: Construct;
  readonly #stack: TerraformStack;
  readonly #projects: StackProjects;
  readonly #users: SharedUsers;
  readonly #enableApi: EnableApi;

  /** @param scope scope of the resources */
  constructor(scope: Construct, projects: StackProjects, users: SharedUsers, enableApi: EnableApi) {
    this.#scope = scope;
    this.#users = users;
    this.#stack = TerraformStack.of(scope);
    this.#projects = projects;
    this.#enableApi = enableApi;
  }

  /** Returns what in a plan contradicts other constructs of the app, before any resource of the plan exists. */
  collisions(
    owner: Construct,
    { authorizations, records }: MigrationPlan,
    providers: MigrationProviders,
  ): readonly Problem[] {
    const claims: ClaimedAuthorization[] = [];
    const ofAuthorizations = authorizations.flatMap((planned) => {
      const known = this.#authorizations.get(this.#keyOf(planned, providers));
      if (known !== undefined) {
        return [...providersThatDiffer(known, owner, providers), ...settingsThatDiffer(known, owner, planned)];
      }
      const claim = this.#claimOf(owner, planned, providers);
      const others = [
        ...this.#claimsOf(planned),
        ...claims.filter((claimed) => claimed.planned.domain === planned.domain),
      ];
      claims.push(claim);
      return others.flatMap((claimed) => claimedTwice(claimed, claim));
    });
    return [...ofAuthorizations, ...records.flatMap((record) => this.#recordCollisions(owner, record, providers))];
  }

  #recordCollisions(owner: Construct, record: PlannedRecord, providers: MigrationProviders): readonly Problem[] {
    const { domain, zone } = record;
    const shared = this.#authorizations.get(this.#keyOf(record, providers));
    if (shared === undefined) return [];
    const problems = publicationsThatDiffer(shared, record, publicationBy(owner, record, providers));
    const known = shared.cloudDns;
    if (zone === undefined || known === undefined) return problems;
    const provider = providers.ofZone(zone);
    const here = migrationPath(owner);
    const there = shared.publication?.construct;
    if (!this.#sameZone([known.zone, known.provider], [zone, provider])) {
      const message = `the record of '${domain}' is published in ${this.#describe(known.zone)} by ${there} and in ${this.#describe(zone)} by ${here}; give both the same zone`;
      return [...problems, { code: "authorization-zones-differ", message }];
    }
    if (provider === known.provider) return problems;
    const message = `the record of '${domain}' is published with the provider '${providerName(known.provider)}' by ${there} and with '${providerName(provider)}' by ${here}; give its zone the same provider in both`;
    return [...problems, { code: "authorization-providers-differ", message }];
  }

  /** Returns the authorization of a domain, which the first construct of the stack creates. */
  authorize(
    owner: Construct,
    planned: PlannedAuthorization,
    options: AuthorizeOptions,
  ): CertificateManagerDnsAuthorization {
    const key = this.#keyOf(planned, options.providers);
    const known = this.#authorizations.get(key);
    const shared = known ?? this.#makeAuthorization(owner, planned, options);
    if (known === undefined) this.#authorizations.set(key, shared);
    else join(known, owner, planned);
    this.#users.add(shared.resource, owner);
    return shared.resource;
  }

  /** Publishes the CNAME of an authorization, once. */
  publish(owner: Construct, record: PlannedRecord, options: AuthorizeOptions): DnsRecordSet | undefined {
    const shared = this.#find(record, options.providers);
    const zone = record.zone;
    shared.publication ??= publicationBy(owner, record, options.providers);
    if (shared.recordResources.length > 0) {
      for (const resource of shared.recordResources) this.#users.add(resource, owner);
      return shared.cloudDns?.record;
    }
    if (record.published === "custom") this.#publishCustom(owner, shared, record, options.providers);
    if (zone === undefined) return undefined;
    const provider = options.providers.ofZone(zone);
    const resource = new DnsRecordSet(
      this.#scope,
      `record-${this.#idOf(record, options.providers)}`,
      definedArguments<ConstructorParameters<typeof DnsRecordSet>[2]>({
        managedZone: zone.name,
        name: referTo(shared.resource, "dns_resource_record[0].name"),
        type: "CNAME",
        ttl: record.ttlSeconds,
        rrdatas: [referTo(shared.resource, "dns_resource_record[0].data")],
        project: zone.project,
        provider,
      }),
    );
    if (options.enableApis) {
      const api = this.#enableApi("dns.googleapis.com", { owner, project: zone.project, provider });
      addDependency(resource, addressOf(api));
    }
    shared.cloudDns = { record: resource, zone, provider };
    this.#addResources(owner, shared, [resource]);
    return resource;
  }

  /** Makes the dependents of a record depend on its resources. */
  #addResources(owner: Construct, shared: SharedAuthorization, resources: readonly TerraformResource[]): void {
    shared.recordResources = resources;
    for (const resource of resources) this.#users.add(resource, owner);
    for (const dependent of shared.dependents) addDependencies(dependent, resources.map(addressOf));
  }

  #publishCustom(
    owner: Construct,
    shared: SharedAuthorization,
    record: PlannedRecord,
    providers: MigrationProviders,
  ): void {
    const attributeOf = (attribute: string) =>
      `\${trimsuffix(${addressOf(shared.resource)}.dns_resource_record[0].${attribute}, ".")}`;
    const { domain, ttlSeconds } = record;
    const resources = publishWith(
      providers.publisher,
      // The record of a new authorization does not exist.
      { parent: this.#scope, id: `record-${this.#idOf(record, providers)}`, addImport: () => undefined },
      new RecordToPublish({
        purpose: "authorization",
        hostname: domain,
        name: attributeOf("name"),
        type: "CNAME",
        data: [attributeOf("data")],
        ttlSeconds,
      }),
    );
    this.#addResources(owner, shared, resources);
  }

  /** Returns how the CNAME of an authorization is published. */
  publicationOf(record: PlannedRecord, providers: MigrationProviders): PlannedRecord["published"] {
    return this.#find(record, providers).publication?.kind ?? record.published;
  }

  /** Makes a certificate depend on the CNAME of each of its authorizations, including CNAMEs of other constructs. */
  orderAfterRecord(certificate: TerraformResource, record: AuthorizedPlace, providers: MigrationProviders): void {
    const shared = this.#find(record, providers);
    shared.dependents.push(certificate);
    addDependencies(certificate, shared.recordResources.map(addressOf));
  }

  /**
   * Returns the problems of authorizations of the app that were created without this package, for a domain that this
   * stack authorizes: `authorization-repeated` within the stack; `authorization-in-two-stacks`;
   * `fixed-record-in-two-projects`.
   */
  checkRaw(): readonly Problem[] {
    const raw = rawAuthorizationsFor(this.#stack, isOwnAuthorization);
    return raw.flatMap((each) => {
      const claims = this.#claimsOf(each).filter(({ stack }) => stack === this.#stack);
      return claims.flatMap((claim) => this.#compare(each, claim));
    });
  }

  /** Returns what the app authorizes for a domain in a location, in all stacks and projects. */
  #claimsOf({ domain, location }: Pick<RawAuthorization, "domain" | "location">): readonly ClaimedAuthorization[] {
    return claimsOf(this.#stack.node.root).get(JSON.stringify([domain, location])) ?? [];
  }

  #compare(raw: RawAuthorization, claim: ClaimedAuthorization): readonly Problem[] {
    const { construct, domain } = raw;
    const users = this.#authorizations.get(claim.key)?.constructs.join(", ") ?? claim.construct;
    const isHere = raw.stack === this.#stack;
    const where = `'${domain}' is authorized by '${construct}' and by ${users}`;
    if (raw.project === claim.project) {
      return [
        {
          code: isHere ? "authorization-repeated" : "authorization-in-two-stacks",
          message: `${where}${isHere ? "" : ", in two stacks"}; pass the id of '${construct}' as existingAuthorizations: { "${domain}": … }, or remove it`,
        },
      ];
    }
    if (raw.type !== "FIXED_RECORD" || claim.planned.type !== "FIXED_RECORD") return [];
    return [
      {
        code: "fixed-record-in-two-projects",
        message: `${where}, in two projects, both by the same CNAME record with other data; use authorizationType PER_PROJECT_RECORD`,
      },
    ];
  }

  #makeAuthorization(
    owner: Construct,
    planned: PlannedAuthorization,
    { enableApis, timeouts, providers }: AuthorizeOptions,
  ): SharedAuthorization {
    const { provider } = providers;
    const claims = claimsOf(this.#stack.node.root);
    const place = JSON.stringify([planned.domain, planned.location]);
    claims.set(place, [...(claims.get(place) ?? []), this.#claimOf(owner, planned, providers)]);
    const resource = new CertificateManagerDnsAuthorization(
      this.#scope,
      `authorization-${this.#idOf(planned, providers)}`,
      definedArguments<ConstructorParameters<typeof CertificateManagerDnsAuthorization>[2]>({
        ...commonArguments(planned),
        domain: planned.domain,
        type: planned.type,
        location: planned.location,
        timeouts,
        provider,
      }),
    );
    if (enableApis) {
      const { project } = planned;
      const api = this.#enableApi("certificatemanager.googleapis.com", { owner, project, provider });
      addDependency(resource, addressOf(api));
    }
    Object.defineProperty(resource, ownAuthorization, { value: true });
    return { planned, resource, constructs: [migrationPath(owner)], provider, dependents: [], recordResources: [] };
  }

  #find(record: AuthorizedPlace, providers: MigrationProviders): SharedAuthorization {
    return this.#authorizations.get(this.#keyOf(record, providers)) as SharedAuthorization;
  }

  #keyOf({ domain, location, project }: AuthorizedPlace, { provider }: MigrationProviders): string {
    return JSON.stringify([domain, location, this.#projects.addressIdentityOf(project, provider)]);
  }

  #claimOf(owner: Construct, planned: PlannedAuthorization, providers: MigrationProviders): ClaimedAuthorization {
    const { provider } = providers;
    const project = this.#projects.identityOf(planned.project, provider);
    const [key, construct] = [this.#keyOf(planned, providers), migrationPath(owner)];
    return { key, stack: this.#stack, project, provider, planned, construct };
  }

  #sameZone([a, providerOfA]: ZoneWithProvider, [b, providerOfB]: ZoneWithProvider): boolean {
    return (
      identityIn(this.#stack, a.name) === identityIn(this.#stack, b.name) &&
      this.#projects.identityOf(a.project, providerOfA) === this.#projects.identityOf(b.project, providerOfB)
    );
  }

  #describe({ name, project }: PlannedZone): string {
    const zone = `zone '${identityIn(this.#stack, name)}'`;
    return project === undefined ? zone : `${zone} of project '${identityIn(this.#stack, project)}'`;
  }

  #idOf({ domain, location, project }: AuthorizedPlace, { provider }: MigrationProviders): string {
    return `${domain}${location === "global" ? "" : `-${location}`}${this.#projects.suffixOf(project, provider)}`;
  }
}

/** Adds a further construct, whose labels do not differ, to a shared authorization. */
function join(shared: SharedAuthorization, owner: Construct, planned: PlannedAuthorization): void {
  const labels = { ...shared.resource.labelsInput, ...planned.labels };
  if (Object.keys(labels).length > 0) shared.resource.labels = labels;
  // A text that differs describes only one of the owners.
  if (shared.resource.descriptionInput !== planned.description) {
    shared.resource.description = `Authorizes certificates for ${planned.domain}`;
  }
  if (!shared.constructs.includes(migrationPath(owner))) shared.constructs.push(migrationPath(owner));
}
