import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { type TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError, type Problem } from "../errors";
import type { PlannedAuthorization, PlannedRecord, PlannedZone } from "../plan";
import { type Addressable, addDependency, addressOf, commonArguments, defined, identityIn, referTo } from "./reference";
import { type RawAuthorization, rawAuthorizationsFor } from "./stack-checks";
import type { StackProjects } from "./stack-provider";

/** Settings of an authorization and its record, from the migration that needs them. */
export interface AuthorizeOptions {
  readonly enableApis: boolean;
  readonly timeouts: { readonly create: string; readonly update: string; readonly delete: string } | undefined;
}

interface SharedAuthorization {
  readonly planned: PlannedAuthorization;
  readonly resource: CertificateManagerDnsAuthorization;
  readonly constructs: string[];
  zone?: PlannedZone;
  /** Publisher of the record, from `dns` of the first construct that has the record. */
  publisher?: { readonly kind: "cloudDns" | "external"; readonly construct: string };
  record?: DnsRecordSet;
  /** Resources that depend on the record. */
  readonly dependents: TerraformResource[];
}

interface ClaimedAuthorization {
  readonly stack: TerraformStack;
  readonly project: string | null;
  readonly planned: PlannedAuthorization;
  readonly construct: string;
}

/** Authorizations of all stacks of an app, by domain and location. */
const claimsOfApp = new WeakMap<IConstruct, Map<string, ClaimedAuthorization[]>>();

/** Authorizations that this package created, in all stacks. */
const ownAuthorizations = new WeakSet<IConstruct>();

/** Enables an API in a project, and returns the resource that enables it. */
type EnableApi = (service: string, project: string | undefined) => Addressable;

/** Authorizations of a stack with their CNAMEs: one for each project, location and domain. */
export class SharedAuthorizations {
  readonly #authorizations = new Map<string, SharedAuthorization>();
  readonly #scope: Construct;
  readonly #stack: TerraformStack;
  readonly #projects: StackProjects;
  readonly #enableApi: EnableApi;

  /** @param scope scope of the resources */
  constructor(scope: Construct, projects: StackProjects, enableApi: EnableApi) {
    this.#scope = scope;
    this.#stack = TerraformStack.of(scope);
    this.#projects = projects;
    this.#enableApi = enableApi;
  }

  /** Returns the authorization of a domain, which the first construct of the stack creates. */
  authorize(
    owner: Construct,
    planned: PlannedAuthorization,
    options: AuthorizeOptions,
  ): CertificateManagerDnsAuthorization {
    const project = this.#projects.identityOf(planned.project);
    const key = JSON.stringify([planned.domain, planned.location, project]);
    const known = this.#authorizations.get(key);
    const shared = known ?? this.#makeAuthorization(owner, planned, project, options);
    if (known === undefined) this.#authorizations.set(key, shared);
    else this.#join(known, owner, planned);
    return shared.resource;
  }

  /** Publishes the CNAME of an authorization, once. */
  publish(owner: Construct, record: PlannedRecord, options: AuthorizeOptions): DnsRecordSet | undefined {
    const shared = this.#find(record);
    const zone = record.zone;
    checkPublisher(shared, owner, record);
    if (zone === undefined) return shared.record;
    if (shared.zone !== undefined && !this.#sameZone(shared.zone, zone)) {
      const message = `the record of '${record.domain}' is published in ${this.#describe(shared.zone)} by ${shared.publisher?.construct} and in ${this.#describe(zone)} by ${owner.node.path}; give both the same zone`;
      throw new InputError("authorization-zones-differ", message);
    }
    if (shared.record !== undefined) return shared.record;
    const resource = new DnsRecordSet(
      this.#scope,
      `record-${this.#idOf(record.domain, record.location, this.#projects.identityOf(record.project))}`,
      defined<ConstructorParameters<typeof DnsRecordSet>[2]>({
        managedZone: zone.name,
        name: referTo(shared.resource, "dns_resource_record[0].name"),
        type: "CNAME",
        ttl: record.ttlSeconds,
        rrdatas: [referTo(shared.resource, "dns_resource_record[0].data")],
        project: zone.project,
      }),
    );
    if (options.enableApis) addDependency(resource, addressOf(this.#enableApi("dns.googleapis.com", zone.project)));
    shared.record = resource;
    shared.zone = zone;
    for (const dependent of shared.dependents) addDependency(dependent, addressOf(resource));
    return resource;
  }

  /** Returns the CNAME of an authorization if this stack publishes it. */
  recordOf(record: PlannedRecord): DnsRecordSet | undefined {
    return this.#find(record).record;
  }

  /** Makes a certificate depend on the CNAME of each of its authorizations, including CNAMEs of other constructs. */
  orderAfterRecord(
    certificate: TerraformResource,
    record: Pick<PlannedRecord, "domain" | "location" | "project">,
  ): void {
    const shared = this.#find(record);
    shared.dependents.push(certificate);
    if (shared.record !== undefined) addDependency(certificate, addressOf(shared.record));
  }

  /**
   * Refuses authorizations of the app that were created without this package, for a domain that this stack authorizes.
   *
   * @throws InputError `authorization-repeated` within the stack; `authorization-in-two-stacks`;
   *   `fixed-record-in-two-projects`
   */
  checkRaw(): void {
    const raw = rawAuthorizationsFor(this.#stack, (node) => ownAuthorizations.has(node));
    const problems = raw.flatMap((each) => this.#claimsOf(each).flatMap((claim) => this.#compare(each, claim)));
    if (problems.length > 0) throw new InputError(problems);
  }

  /** Returns what this stack authorizes for a domain in a location, in all projects. */
  #claimsOf({ domain, location }: RawAuthorization): readonly ClaimedAuthorization[] {
    const claims = claimsOfApp.get(this.#stack.node.root)?.get(JSON.stringify([domain, location])) ?? [];
    return claims.filter(({ stack }) => stack === this.#stack);
  }

  #compare(raw: RawAuthorization, claim: ClaimedAuthorization): readonly Problem[] {
    const { construct, domain } = raw;
    const key = JSON.stringify([domain, raw.location, claim.project]);
    const users = this.#authorizations.get(key)?.constructs.join(", ") ?? claim.construct;
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
    project: string | null,
    { enableApis, timeouts }: AuthorizeOptions,
  ): SharedAuthorization {
    this.#claim(owner, planned, project);
    const resource = new CertificateManagerDnsAuthorization(
      this.#scope,
      `authorization-${this.#idOf(planned.domain, planned.location, project)}`,
      defined<ConstructorParameters<typeof CertificateManagerDnsAuthorization>[2]>({
        ...commonArguments(planned),
        domain: planned.domain,
        type: planned.type,
        location: planned.location,
        timeouts,
      }),
    );
    if (enableApis) {
      addDependency(resource, addressOf(this.#enableApi("certificatemanager.googleapis.com", planned.project)));
    }
    ownAuthorizations.add(resource);
    return { planned, resource, constructs: [owner.node.path], dependents: [] };
  }

  /** Refuses a further construct whose settings of a shared authorization differ from the earlier constructs. */
  #join(shared: SharedAuthorization, owner: Construct, planned: PlannedAuthorization): void {
    const others = shared.constructs.join(", ");
    if (shared.planned.type !== planned.type) {
      const message = `the authorization of '${planned.domain}' is a ${shared.planned.type} of ${others} and a ${planned.type} of ${owner.node.path}; give both the same 'authorizationType'`;
      throw new InputError("authorization-types-differ", message);
    }
    const labels = { ...shared.resource.labelsInput };
    for (const [key, value] of Object.entries(planned.labels ?? {})) {
      if (labels[key] !== undefined && labels[key] !== value) {
        const message = `the authorization of '${planned.domain}' has label '${key}' = '${labels[key]}' from ${others} and '${value}' from ${owner.node.path}; give both the same`;
        throw new InputError("authorization-labels-differ", message);
      }
      labels[key] = value;
    }
    if (Object.keys(labels).length > 0) shared.resource.labels = labels;
    // A text that differs describes only one of the owners.
    if (shared.resource.descriptionInput !== planned.description) {
      shared.resource.description = `Authorizes certificates for ${planned.domain}`;
    }
    if (!shared.constructs.includes(owner.node.path)) shared.constructs.push(owner.node.path);
  }

  /** Refuses a domain that another stack authorizes, unless the stack refers to that authorization explicitly. */
  #claim(owner: Construct, planned: PlannedAuthorization, project: string | null): void {
    const app = this.#stack.node.root;
    const claims = claimsOfApp.get(app) ?? new Map<string, ClaimedAuthorization[]>();
    claimsOfApp.set(app, claims);
    const key = JSON.stringify([planned.domain, planned.location]);
    const others = claims.get(key) ?? [];
    for (const other of others) {
      const where = `'${planned.domain}' is authorized by ${other.construct} and by ${owner.node.path}, in two stacks`;
      if (other.project === project) {
        const message = `${where}; pass the first one's id to the second as existingAuthorizations: { "${planned.domain}": … }`;
        throw new InputError("authorization-in-two-stacks", message);
      }
      if (other.planned.type === "FIXED_RECORD" && planned.type === "FIXED_RECORD") {
        const message = `${where} and two projects, both by the same CNAME with other data; use authorizationType PER_PROJECT_RECORD`;
        throw new InputError("fixed-record-in-two-projects", message);
      }
    }
    claims.set(key, [...others, { stack: this.#stack, project, planned, construct: owner.node.path }]);
  }

  #find(record: Pick<PlannedRecord, "domain" | "location" | "project">): SharedAuthorization {
    const key = JSON.stringify([record.domain, record.location, this.#projects.identityOf(record.project)]);
    return this.#authorizations.get(key) as SharedAuthorization;
  }

  #sameZone(a: PlannedZone, b: PlannedZone): boolean {
    return (
      identityIn(this.#stack, a.name) === identityIn(this.#stack, b.name) &&
      this.#projects.identityOf(a.project) === this.#projects.identityOf(b.project)
    );
  }

  #describe({ name, project }: PlannedZone): string {
    const zone = `zone '${identityIn(this.#stack, name)}'`;
    return project === undefined ? zone : `${zone} of project '${identityIn(this.#stack, project)}'`;
  }

  #idOf(domain: string, location: string, project: string | null): string {
    return `${domain}${location === "global" ? "" : `-${location}`}${this.#projects.suffixOf(project)}`;
  }
}

/**
 * Refuses a record that one construct publishes and another construct leaves to a manual step.
 *
 * @throws InputError `authorization-publishers-differ`
 */
function checkPublisher(shared: SharedAuthorization, owner: Construct, { domain, zone }: PlannedRecord): void {
  const kind = zone === undefined ? "external" : "cloudDns";
  const { publisher } = shared;
  shared.publisher ??= { kind, construct: owner.node.path };
  if (publisher === undefined || publisher.kind === kind) return;
  const [here, there] = [owner.node.path, publisher.construct];
  const [written, manual] = kind === "cloudDns" ? [here, there] : [there, here];
  throw new InputError(
    "authorization-publishers-differ",
    `the CNAME record of '${domain}' is written by ${written} (cloudDns), and ${manual} expects you to publish it (external); give both the same 'dns'`,
  );
}
