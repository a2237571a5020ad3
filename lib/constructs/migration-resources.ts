import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { CertificateManagerCertificateIssuanceConfig } from "@cdktf/provider-google/lib/certificate-manager-certificate-issuance-config";
import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { Fn, type TerraformResource, TerraformStack, Token } from "cdktf";
import type { Construct } from "constructs";
import { waitEnvironment } from "../gate-call";
import {
  formOf,
  type MigrationPlan,
  type MigrationSpec,
  normalizePem,
  type PlannedCertificate,
  type PlannedEntry,
  type PlannedManagedCertificate,
  type PlannedMap,
  type PlannedSelfManagedCertificate,
} from "../plan";
import { certificateManagerPrefix } from "../resource-names";
import { CommandGate, gateProps } from "./gate";
import { warnOfLostKey } from "./lost-state";
import type { MigrationProviders } from "./migration-providers";
import {
  addDependencies,
  addDependency,
  addressOf,
  commonArguments,
  definedArguments,
  identifierIn,
  referTo,
} from "./reference";
import type { AuthorizeOptions } from "./shared-authorizations";
import type { SharedResources } from "./shared-resources";
import { hasWriteOnlyKeys } from "./stack-provider";

const certificateManagerApi = "certificatemanager.googleapis.com";
const defaultGateTimeoutMinutes = 60;

/**
 * Limits the value of a variable to 8,191 characters, as shells of Windows do; the name of an entry has about 200
 * characters at most. Deployed migrations have a gate for each of these groups, so the number can't change.
 */
const mostEntriesInGate = 35;

type CertificateConfig = ConstructorParameters<typeof CertificateManagerCertificate>[2];

/** Resources of a plan's certificates, up to the entries of the map. */
export class MigrationResources {
  readonly authorizations: ReadonlyMap<string, CertificateManagerDnsAuthorization>;
  readonly records: ReadonlyMap<string, DnsRecordSet>;
  readonly certificates: ReadonlyMap<string, CertificateManagerCertificate>;
  readonly gates: ReadonlyMap<string, CommandGate>;
  readonly map: CertificateManagerCertificateMap | undefined;
  readonly entries: ReadonlyMap<string, CertificateManagerCertificateMapEntry>;
  /** With the gate `wait`: the commands that wait until the entries are on every front end. */
  readonly settlements: readonly CommandGate[];
  readonly #scope: Construct;
  readonly #spec: MigrationSpec;
  readonly #plan: MigrationPlan;
  readonly #shared: SharedResources;
  readonly #options: AuthorizeOptions;
  readonly #planned: ReadonlyMap<string, PlannedCertificate>;
  readonly #issuanceConfigs: ReadonlyMap<string, CertificateManagerCertificateIssuanceConfig>;

  constructor(
    scope: Construct,
    spec: MigrationSpec,
    plan: MigrationPlan,
    shared: SharedResources,
    providers: MigrationProviders,
  ) {
    this.#scope = scope;
    this.#spec = spec;
    this.#plan = plan;
    this.#shared = shared;
    this.#planned = new Map(plan.certificates.map((certificate) => [certificate.id, certificate]));
    const minutes = spec.operationTimeoutMinutes;
    const timeout = `${minutes}m`;
    this.#options = {
      enableApis: spec.enableApis === true,
      timeouts: minutes === undefined ? undefined : { create: timeout, update: timeout, delete: timeout },
      providers,
    };
    this.authorizations = this.#makeAuthorizations();
    this.records = this.#publishRecords();
    this.#issuanceConfigs = this.#makeIssuanceConfigs();
    this.certificates = this.#makeCertificates();
    this.gates = this.#makeGates();
    this.map = this.#makeMap();
    this.entries = this.#makeEntries();
    this.settlements = this.#makeSettlements();
  }

  /** Providers of the migration. */
  get providers(): MigrationProviders {
    return this.#options.providers;
  }

  /** Returns the resource id of a certificate of the plan, or the id of an existing certificate. */
  certificateId(id: string): string {
    const resource = this.certificates.get(id);
    if (resource !== undefined) return referTo(resource, "id");
    const planned = this.#planned.get(id);
    return planned?.kind === "existing" ? planned.existingId : id;
  }

  /** Returns the id of a domain's authorization. */
  authorizationId(
    authorization: PlannedManagedCertificate["authorizations"][number],
    project: string | undefined,
  ): string {
    if ("existingId" in authorization) return authorization.existingId;
    const resource = this.authorizations.get(authorizationKey(authorization.domain, project));
    return referTo(resource as CertificateManagerDnsAuthorization, "id");
  }

  /** Returns the id of the map, which this construct creates or which exists. */
  get mapId(): string | undefined {
    if (this.map !== undefined) return referTo(this.map, "id");
    return this.#plan.map?.kind === "existing" ? this.#plan.map.existingId : undefined;
  }

  /** Returns the map in the form that target proxies require: the service's name, then the id. */
  get mapReference(): string | undefined {
    const id = this.mapId;
    if (id === undefined) return undefined;
    if (this.map !== undefined || !Token.isUnresolved(id)) return `${certificateManagerPrefix}${id}`;
    return `${certificateManagerPrefix}${Fn.trimprefix(id, certificateManagerPrefix)}`;
  }

  /** Returns the conditions of the gate `precondition`, one for each managed certificate. */
  preconditions(ids: readonly string[]): { condition: string; errorMessage: string }[] {
    if (this.#plan.gate !== "precondition") return [];
    return ids.flatMap((id) => {
      const planned = this.#planned.get(id);
      const resource = this.certificates.get(id);
      if (planned?.kind !== "managed" || resource === undefined) return [];
      return [{ condition: isActive(resource), errorMessage: notActiveMessage(planned, resource) }];
    });
  }

  /** Returns the addresses of the certificates' gates. */
  gateAddresses(ids: readonly string[]): readonly string[] {
    return ids.flatMap((id) => {
      const gate = this.gates.get(id);
      return gate === undefined ? [] : [addressOf(gate)];
    });
  }

  #makeAuthorizations(): ReadonlyMap<string, CertificateManagerDnsAuthorization> {
    return new Map(
      this.#plan.authorizations.map((planned) => [
        authorizationKey(planned.domain, planned.project),
        this.#shared.authorizations.authorize(this.#scope, planned, this.#options),
      ]),
    );
  }

  #publishRecords(): ReadonlyMap<string, DnsRecordSet> {
    const records = new Map<string, DnsRecordSet>();
    for (const planned of this.#plan.records) {
      const record = this.#shared.authorizations.publish(this.#scope, planned, this.#options);
      if (record !== undefined) records.set(authorizationKey(planned.domain, planned.project), record);
    }
    return records;
  }

  #makeIssuanceConfigs(): ReadonlyMap<string, CertificateManagerCertificateIssuanceConfig> {
    const configs = new Map<string, CertificateManagerCertificateIssuanceConfig>();
    for (const planned of this.#plan.issuanceConfigs ?? []) {
      const config = new CertificateManagerCertificateIssuanceConfig(
        this.#scope,
        `issuance-config-${authorizationKey(planned.name, planned.project)}`,
        definedArguments<ConstructorParameters<typeof CertificateManagerCertificateIssuanceConfig>[2]>({
          ...commonArguments(planned),
          location: planned.location,
          keyAlgorithm: planned.keyAlgorithm,
          lifetime: `${planned.lifetimeSeconds}s`,
          rotationWindowPercentage: planned.rotationWindowPercentage,
          certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: planned.caPool } },
          timeouts: this.#options.timeouts,
          provider: this.providers.provider,
        }),
      );
      this.#requireApi(config, planned.project);
      configs.set(authorizationKey(planned.name, planned.project), config);
    }
    return configs;
  }

  /** Returns the id of the issuance config of a certificate from a private CA. */
  #issuanceConfigId(issuance: NonNullable<PlannedManagedCertificate["issuance"]>, project: string | undefined): string {
    if ("existingId" in issuance) return issuance.existingId;
    const config = this.#issuanceConfigs.get(authorizationKey(issuance.config, project));
    return referTo(config as CertificateManagerCertificateIssuanceConfig, "id");
  }

  #makeCertificates(): ReadonlyMap<string, CertificateManagerCertificate> {
    const certificates = new Map<string, CertificateManagerCertificate>();
    for (const planned of this.#plan.certificates) {
      if (planned.kind === "existing") continue;
      const certificate = new CertificateManagerCertificate(
        this.#scope,
        `certificate-${planned.id}`,
        definedArguments<CertificateConfig>({
          ...commonArguments(planned),
          location: planned.location,
          scope: planned.scope,
          timeouts: this.#options.timeouts,
          provider: this.providers.provider,
          ...(planned.kind === "managed"
            ? { managed: this.#managed(planned) }
            : { selfManaged: { pemCertificate: planned.certificatePem } }),
        }),
      );
      if (planned.kind === "selfManaged") this.#addKey(certificate, planned);
      else {
        const { location, project } = planned;
        for (const authorization of planned.authorizations) {
          if ("existingId" in authorization) continue;
          const record = definedArguments({ domain: authorization.domain, location, project });
          this.#shared.authorizations.orderAfterRecord(certificate, record, this.providers);
        }
      }
      this.#requireApi(certificate, planned.project);
      certificates.set(planned.id, certificate);
    }
    return certificates;
  }

  #managed(planned: PlannedManagedCertificate): NonNullable<CertificateConfig["managed"]> {
    const { issuance } = planned;
    if (issuance !== undefined) {
      return { domains: [...planned.domains], issuanceConfig: this.#issuanceConfigId(issuance, planned.project) };
    }
    return {
      domains: [...planned.domains],
      dnsAuthorizations: planned.authorizations.map((authorization) =>
        this.authorizationId(authorization, planned.project),
      ),
    };
  }

  /** Adds the key of an uploaded certificate, or a reference to its variable. */
  #addKey(certificate: CertificateManagerCertificate, planned: PlannedSelfManagedCertificate): void {
    warnOfLostKey(this.#scope, planned.id);
    // A plan contains no keys. The key is in the spec.
    const certificateSpec = this.#spec.certificates[planned.specIndex];
    const uploaded = certificateSpec && formOf(certificateSpec).selfManaged;
    const variable = uploaded?.privateKeyVariable;
    const usual = hasWriteOnlyKeys(this.#scope) ? "writeOnly" : "state";
    const storage = uploaded?.privateKeyStorage ?? usual;
    if (variable !== undefined) {
      this.#shared.keyVariable(variable, planned.domains.join(", ") || planned.id, storage);
    }
    const key = variable === undefined ? normalizePem(uploaded?.privateKeyPem ?? "") : `\${var.${variable}}`;
    if (storage === "state") {
      certificate.putSelfManaged({ pemCertificate: planned.certificatePem, pemPrivateKey: key });
      return;
    }
    // Overrides, because bindings before 7.45 have no write-only arguments.
    certificate.addOverride("self_managed.pem_private_key_wo", key);
    // Another key means another certificate, whose resource has another name. So the version never changes.
    certificate.addOverride("self_managed.pem_private_key_wo_version", "1");
    this.#shared.requireWriteOnly();
  }

  /** Adds the gates `wait` and `check`. The gate `precondition` is part of the resources that use the certificates. */
  #makeGates(): ReadonlyMap<string, CommandGate> {
    const gates = new Map<string, CommandGate>();
    if (this.#plan.phase === "issue") return gates;
    for (const planned of this.#plan.certificates) {
      const resource = this.certificates.get(planned.id);
      if (this.#plan.gate === "check" && planned.kind === "managed" && resource !== undefined) {
        const name = `${identifierIn(TerraformStack.of(this.#scope), planned.name)}_active`;
        this.#shared.check(name, isActive(resource), notActiveMessage(planned, resource));
      }
      if (this.#plan.gate !== "wait" || planned.kind === "selfManaged") continue;
      const id = this.certificateId(planned.id);
      gates.set(
        planned.id,
        new CommandGate(this.#scope, `gate-${planned.id}`, {
          ...this.#waitFor("certificates", [id]),
          triggers: [id],
        }),
      );
    }
    return gates;
  }

  #makeMap(): CertificateManagerCertificateMap | undefined {
    const planned: PlannedMap | undefined = this.#plan.map;
    if (planned?.kind !== "new") return undefined;
    const map = new CertificateManagerCertificateMap(
      this.#scope,
      "map",
      definedArguments<ConstructorParameters<typeof CertificateManagerCertificateMap>[2]>({
        ...commonArguments(planned),
        timeouts: this.#options.timeouts,
        provider: this.providers.provider,
      }),
    );
    this.#requireApi(map, planned.project);
    return map;
  }

  #makeEntries(): ReadonlyMap<string, CertificateManagerCertificateMapEntry> {
    const entries = new Map<string, CertificateManagerCertificateMapEntry>();
    const planned = this.#plan.map;
    if (planned === undefined) return entries;
    const map = this.map === undefined ? (this.mapId as string) : referTo(this.map, "name");
    const identity = this.mapId as string;
    for (const entry of this.#plan.entries) {
      const resource = this.#makeEntry(entry, map, planned);
      this.#shared.addEntry(this.#scope, identity, entry.hostname, addressOf(resource));
      entries.set(entry.hostname, resource);
    }
    return entries;
  }

  #makeEntry(entry: PlannedEntry, map: string, { project }: PlannedMap): CertificateManagerCertificateMapEntry {
    const preconditions = this.preconditions(entry.certificates);
    const resource = new CertificateManagerCertificateMapEntry(
      this.#scope,
      `entry-${entry.hostname}`,
      definedArguments<ConstructorParameters<typeof CertificateManagerCertificateMapEntry>[2]>({
        ...commonArguments(entry),
        map,
        hostname: entry.hostname === "PRIMARY" ? undefined : entry.hostname,
        matcher: entry.hostname === "PRIMARY" ? "PRIMARY" : undefined,
        certificates: entry.certificates.map((id) => this.certificateId(id)),
        project,
        timeouts: this.#options.timeouts,
        provider: this.providers.provider,
        lifecycle: { createBeforeDestroy: true, ...(preconditions.length > 0 && { precondition: preconditions }) },
      }),
    );
    addDependencies(resource, this.gateAddresses(entry.certificates));
    return resource;
  }

  /**
   * Adds commands that wait until the entries are on every front end. After that, proxies can use the map, and
   * Terraform can delete the previous certificates of the entries. Terraform destroys a replaced resource after it has
   * changed the dependents of the replacement; these commands depend on the certificates by their triggers.
   */
  #makeSettlements(): readonly CommandGate[] {
    const entries = this.#plan.gate === "wait" ? this.#plan.entries : [];
    const settlements: CommandGate[] = [];
    for (let start = 0; start < entries.length; start += mostEntriesInGate) {
      const some = entries.slice(start, start + mostEntriesInGate);
      const resources = some.flatMap(({ hostname }) => this.entries.get(hostname) ?? []);
      const names = resources.map((entry) => referTo(entry, "id"));
      const certificates = new Set(some.flatMap((entry) => entry.certificates.map((id) => this.certificateId(id))));
      const settlement = new CommandGate(this.#scope, `settlement-${settlements.length + 1}`, {
        ...this.#waitFor("entries", names),
        triggers: [...certificates],
        dependsOn: resources.map(addressOf),
      });
      this.#shared.holdMap(this.mapId as string, addressOf(settlement));
      settlements.push(settlement);
    }
    return settlements;
  }

  #waitFor(kind: "certificates" | "entries", names: readonly string[]) {
    const { gateCommand, gateTimeoutMinutes = defaultGateTimeoutMinutes } = this.#spec;
    return gateProps(gateCommand, waitEnvironment({ kind, names, timeout: `${gateTimeoutMinutes}m` }));
  }

  #requireApi(resource: TerraformResource, project: string | undefined): void {
    if (!this.#options.enableApis) return;
    const api = { owner: this.#scope, project, provider: this.providers.provider };
    addDependency(resource, addressOf(this.#shared.enableApi(certificateManagerApi, api)));
  }
}

/** Returns the key of an authorization and its record: the domain, and the project of the certificate if it has one. */
export function authorizationKey(domain: string, project: string | undefined): string {
  return project === undefined ? domain : `${domain} in ${project}`;
}

function isActive(resource: CertificateManagerCertificate): string {
  return `\${${addressOf(resource)}.managed[0].state == "ACTIVE"}`;
}

function notActiveMessage(planned: PlannedManagedCertificate, resource: CertificateManagerCertificate): string {
  const state = referTo(resource, "managed[0].state");
  if (planned.issuance !== undefined)
    return `certificate '${planned.id}' (${planned.domains.slice(0, 3).join(", ")}) is ${state}, not ACTIVE: check that the CA pool has an enabled CA and that the service agent of Certificate Manager may request certificates, and apply again once it is issued; if it is FAILED raise its 'generation'`;
  return `certificate '${planned.id}' (${planned.domains.slice(0, 3).join(", ")}) is ${state}, not ACTIVE: publish the CNAME of each authorization and apply again once it is issued; if it is being renewed this passes by itself, if it is FAILED raise its 'generation'`;
}
