import { ownDescription, ownEnumNumbers } from "../../discovery";
import { withoutLastParts } from "../../resource-names";
import { type CloudService, type Handlers, invalidField, type Json, textParameter } from "../front";
import type { ServiceOptions } from "../operations";
import { type Collection, indexBy } from "../state";
import {
  type CertificateMapEntry,
  type CertificateMapResource,
  checkCertificates,
  checkMapLocation,
  newEntry,
} from "./certificate-maps";
import { type CertificateResource, type KeyMaterial, newCertificate, readUpload } from "./certificates";
import { type DnsAuthorizationResource, newAuthorization } from "./dns-authorizations";
import type { CheckOptions, VisibilityOptions } from "./domain-validation";
import { Issuance, type IssuancePace, type Issue, type IssuePrivately, type RenewingState } from "./issuance";
import { type IssuanceConfig, newIssuanceConfig, poolOf } from "./issuance-configs";
import { locationHandlers, resourceErrors } from "./names";
import { createLocatedOperations } from "./operations";
import { type ResourceContext, resourceHandlers } from "./resource-handlers";
import { sealTrustConfig, type TrustConfig, trustConfigFields } from "./trust-configs";

export interface CertificateManagerOptions extends CheckOptions, ServiceOptions {
  readonly issue: Issue;
  readonly privateCas: { readonly issue: IssuePrivately; readonly hasPool: (name: string) => boolean };
  /** Load balancers, for certificates without DNS authorizations. */
  readonly visibility: Omit<VisibilityOptions, "frontendsWith"> & {
    /** Returns the addresses and the presented certificates or maps of the load balancers on port 443. */
    readonly frontends: () => readonly HttpsFrontend[];
  };
  readonly pace?: IssuancePace;
  readonly renewingState?: RenewingState;
  /**
   * The cloud's time in milliseconds up to which changes have reached the load balancers; newer entries are PENDING.
   */
  readonly propagatedMs: () => number;
  readonly users: UsersOfResources;
  readonly onChange: () => void;
}

/** Finds the proxies and policies of other services that use a map, a certificate or a trust config. */
interface UsersOfResources {
  /** Returns the target proxies to which a map is attached, in the format of `gclbTargets`. */
  readonly ofMap: (map: string) => readonly Json[];
  /** Returns the names of the target proxies that have a certificate. */
  readonly ofCertificate: (certificate: string) => readonly string[];
  /** Returns the names of the server TLS policies that use a trust config. @default - none */
  readonly ofTrustConfig?: (trustConfig: string) => readonly string[];
}

export interface HttpsFrontend {
  readonly ipAddress: string;
  readonly certificateMap?: string;
  /** Names of its certificates of Certificate Manager; empty with a map. */
  readonly certificates: readonly string[];
}

/** Emulates Certificate Manager v1, as far as a migration uses it. Other methods of its description return 501. */
export class CertificateManager {
  readonly service: CloudService;
  readonly #options: CertificateManagerOptions;
  readonly #authorizations: Collection<DnsAuthorizationResource>;
  readonly #certificates: Collection<CertificateResource>;
  readonly #issuanceConfigs: Collection<IssuanceConfig>;
  readonly #keys: Collection<KeyMaterial>;
  readonly #maps: Collection<CertificateMapResource>;
  readonly #entries: Collection<CertificateMapEntry>;
  /** Time at which an entry got its present certificates, RFC 3339, by the entry's name. */
  readonly #repointed: Collection<string>;
  readonly #trustConfigs: Collection<TrustConfig>;
  /**
   * Time of a certificate's first issuance, in milliseconds. Not kept: after a restart, all earlier certificates have
   * reached the load balancers.
   */
  readonly #issuedMs = new Map<string, number>();
  readonly #authorizationsOf: (domain: string) => readonly DnsAuthorizationResource[];
  readonly #certificatesOf: (authorization: string) => readonly CertificateResource[];
  readonly #certificatesOfConfig: (config: string) => readonly CertificateResource[];
  readonly #entriesOfHost: (mapAndHost: string) => readonly CertificateMapEntry[];
  readonly #entriesOfMap: (map: string) => readonly CertificateMapEntry[];
  readonly #entriesOfCertificate: (certificate: string) => readonly CertificateMapEntry[];
  readonly #context: ResourceContext;
  readonly #issuance: Issuance;

  constructor(options: CertificateManagerOptions) {
    this.#options = options;
    const { store, clock } = options;
    this.#authorizations = store.collection("certificatemanager.dnsAuthorizations");
    this.#certificates = store.collection("certificatemanager.certificates");
    this.#issuanceConfigs = store.collection("certificatemanager.certificateIssuanceConfigs");
    this.#keys = store.collection("certificatemanager.keys");
    this.#maps = store.collection("certificatemanager.certificateMaps");
    this.#entries = store.collection("certificatemanager.certificateMapEntries");
    this.#repointed = store.collection("certificatemanager.repointed");
    this.#trustConfigs = store.collection("certificatemanager.trustConfigs");
    this.#keys.watch((name, before, after) => {
      if (after === undefined) this.#issuedMs.delete(name);
      else if (before === undefined) this.#issuedMs.set(name, clock.now().getTime());
    });
    this.#authorizationsOf = indexBy(this.#authorizations, ({ name, domain }) => [
      `${withoutLastParts(name, 2)} ${domain}`,
    ]);
    this.#certificatesOf = indexBy(this.#certificates, ({ managed }) => managed?.dnsAuthorizations ?? []);
    this.#certificatesOfConfig = indexBy(this.#certificates, ({ managed }) => [managed?.issuanceConfig ?? []].flat());
    this.#entriesOfHost = indexBy(this.#entries, (entry) => [hostKey(withoutLastParts(entry.name, 2), entry)]);
    this.#entriesOfMap = indexBy(this.#entries, ({ name }) => [withoutLastParts(name, 2)]);
    this.#entriesOfCertificate = indexBy(this.#entries, ({ certificates }) => certificates);
    const operations = createLocatedOperations({ store, clock, operationMs: options.operationMs });
    this.#context = { ...options, operations };
    this.#issuance = new Issuance({
      ...options,
      issuePrivately: (pool, request) => options.privateCas.issue(pool, request),
      visibility: {
        addressesOf: options.visibility.addressesOf,
        frontendsWith: (certificate) => this.#frontendsWith(certificate),
      },
      stored: {
        certificates: this.#certificates,
        keys: this.#keys,
        authorizations: this.#authorizations,
        issuanceConfigs: this.#issuanceConfigs,
        begun: store.collection("certificatemanager.begun"),
      },
      onChange: () => {
        store.commit();
        options.onChange();
      },
    });
    this.service = {
      description: ownDescription("certificatemanager:v1"),
      errors: "status",
      enumNumbers: ownEnumNumbers("certificatemanager:v1"),
      handlers: {
        ...locationHandlers,
        ...operations.handlers,
        ...this.#authorizationHandlers(),
        ...this.#issuanceConfigHandlers(),
        ...this.#certificateHandlers(),
        ...this.#mapHandlers(),
        ...this.#entryHandlers(),
        ...this.#trustConfigHandlers(),
      },
    };
  }

  /** Continues the work after a restart. @param offMs how long the cloud was off, in milliseconds of its own time */
  resume(offMs: number): void {
    this.#issuance.resume(offMs);
  }

  hasMap(name: string): boolean {
    return this.#maps.has(name);
  }

  certificate(name: string): CertificateResource | undefined {
    return this.#certificates.get(name);
  }

  /** Returns the chain and key that a load balancer presents for a certificate; undefined before its issuance. */
  keyMaterial(name: string): KeyMaterial | undefined {
    return this.#keys.get(name);
  }

  trustConfigs(): Iterable<TrustConfig> {
    return this.#trustConfigs.values();
  }

  entriesOf(map: string): readonly CertificateMapEntry[] {
    return this.#entriesOfMap(map);
  }

  #authorizationHandlers(): Handlers {
    const items = this.#authorizations;
    return resourceHandlers(
      this.#context,
      { collection: "dnsAuthorizations", schema: "DnsAuthorization", items },
      {
        create: (call, name) => {
          const others = this.#authorizationsOf(`${textParameter(call, "parent")} ${call.body.domain}`);
          const made = newAuthorization(call, name, others);
          return (stamp) => items.set(name, { ...made, ...stamp });
        },
        mutable: ["description", "labels"],
        usersOf: (name) => this.#certificatesOf(name).map((certificate) => certificate.name),
      },
    );
  }

  #issuanceConfigHandlers(): Handlers {
    const items = this.#issuanceConfigs;
    return resourceHandlers(
      this.#context,
      { collection: "certificateIssuanceConfigs", schema: "CertificateIssuanceConfig", items },
      {
        create: (call, name) => {
          const made = newIssuanceConfig(call, name, this.#options.privateCas.hasPool);
          return (stamp) => items.set(name, { ...made, ...stamp });
        },
        mutable: ["description", "labels"],
        usersOf: (name) => this.#certificatesOfConfig(name).map((certificate) => certificate.name),
      },
    );
  }

  /** Returns the names of the issuance configs that refer to a CA pool. */
  configsUsing(pool: string): readonly string[] {
    return [...this.#issuanceConfigs.values()].filter((config) => poolOf(config) === pool).map(({ name }) => name);
  }

  /** Returns the addresses of the load balancers that have a certificate, in their map or directly, on port 443. */
  #frontendsWith(certificate: string): readonly string[] {
    const has = ({ certificateMap, certificates }: HttpsFrontend) =>
      certificateMap === undefined
        ? certificates.includes(certificate)
        : this.entriesOf(certificateMap).some((entry) => entry.certificates.includes(certificate));
    return this.#options.visibility
      .frontends()
      .filter(has)
      .map(({ ipAddress }) => ipAddress);
  }

  #certificateHandlers(): Handlers {
    const items = this.#certificates;
    return resourceHandlers(
      this.#context,
      { collection: "certificates", schema: "Certificate", items },
      {
        create: (call, name) => {
          const { certificate, keys } = newCertificate(call, name, {
            authorization: (authorization) => this.#authorizations.get(authorization),
            hasIssuanceConfig: (config) => this.#issuanceConfigs.has(config),
          });
          return (stamp) => {
            items.set(name, { ...certificate, name, ...stamp });
            if (keys !== undefined) this.#keys.set(name, keys);
            else this.#issuance.begin(name);
          };
        },
        serve: (certificate) => {
          const users = this.#usersOf(certificate.name);
          return users.length === 0 ? certificate : { ...certificate, usedBy: users.map((name) => ({ name })) };
        },
        mutable: ["description", "labels", "selfManaged"],
        patch: (after, before) => {
          // Uploads are never returned by the API, so the field is set only if the patch has set it.
          if (after.selfManaged === before.selfManaged) return { after };
          if (before.selfManaged === undefined)
            throw invalidField("update_mask", "a managed certificate can't become a self-managed one");
          const { facts, keys } = readUpload(after.selfManaged ?? {});
          return {
            after: { ...after, selfManaged: {}, ...facts },
            afterwards: () => this.#keys.set(before.name, keys),
          };
        },
        usersOf: (name) => this.#usersOf(name),
        deleted: (name) => this.#keys.delete(name),
      },
    );
  }

  #mapHandlers(): Handlers {
    const { users } = this.#options;
    const items = this.#maps;
    return resourceHandlers(
      this.#context,
      { collection: "certificateMaps", schema: "CertificateMap", items },
      {
        create: (call, name) => {
          checkMapLocation(name);
          return (stamp) => items.set(name, { ...call.body, name, ...stamp });
        },
        serve: (map) => {
          const gclbTargets = users.ofMap(map.name);
          return gclbTargets.length === 0 ? map : { ...map, gclbTargets };
        },
        mutable: ["description", "labels"],
        usersOf: (name) => [
          ...this.entriesOf(name).map((entry) => entry.name),
          ...users.ofMap(name).map((target) => String(target.targetHttpsProxy ?? target.targetSslProxy)),
        ],
      },
    );
  }

  #entryHandlers(): Handlers {
    const items = this.#entries;
    const certificate = (name: string) => this.#certificates.get(name);
    const checkMap = (map: string) => {
      if (!this.#maps.has(map)) throw resourceErrors.notFound(map);
    };
    return resourceHandlers(
      this.#context,
      {
        collection: "certificateMapEntries",
        path: "certificateMaps.certificateMapEntries",
        schema: "CertificateMapEntry",
        items,
      },
      {
        create: (call, name) => {
          const map = textParameter(call, "parent");
          checkMap(map);
          const made = newEntry(call, name, this.#entriesOfHost(hostKey(map, call.body)), certificate);
          return (stamp) => {
            items.set(name, { ...made, name, ...stamp });
            this.#repointed.set(name, stamp.createTime);
          };
        },
        serve: (entry) => ({ ...entry, state: this.#stateOf(entry) }),
        checkParent: checkMap,
        mutable: ["certificates", "description", "labels"],
        patch: (after, before) => {
          const certificates = checkCertificates(after.certificates, after.name, certificate);
          const isSame = certificates.join() === before.certificates.join();
          const repoint = () => this.#repointed.set(after.name, this.#options.clock.now().toISOString());
          return { after: { ...after, certificates }, ...(isSame ? {} : { afterwards: repoint }) };
        },
        deleted: (name) => this.#repointed.delete(name),
      },
    );
  }

  #trustConfigHandlers(): Handlers {
    const items = this.#trustConfigs;
    return resourceHandlers(
      this.#context,
      { collection: "trustConfigs", schema: "TrustConfig", items },
      {
        create: (call, name) => {
          const sealed = sealTrustConfig({ ...call.body, name });
          return (stamp) => items.set(name, { ...sealed, ...stamp });
        },
        mutable: trustConfigFields,
        patch: (after) => ({ after: sealTrustConfig(after) }),
        usersOf: (name) => this.#options.users.ofTrustConfig?.(name) ?? [],
      },
    );
  }

  /**
   * Returns ACTIVE if the certificates of an entry are issued, and they and the entry have reached the load balancers.
   */
  #stateOf({ name, certificates, createTime }: CertificateMapEntry): "ACTIVE" | "PENDING" {
    const reachedMs = this.#options.propagatedMs();
    const isServed = (certificate: string) =>
      this.#keys.has(certificate) && (this.#issuedMs.get(certificate) ?? 0) <= reachedMs;
    const isKnown = Date.parse(this.#repointed.get(name) ?? createTime) <= reachedMs;
    return isKnown && certificates.every(isServed) ? "ACTIVE" : "PENDING";
  }

  #usersOf(certificate: string): readonly string[] {
    return [
      ...this.#entriesOfCertificate(certificate).map(({ name }) => name),
      ...this.#options.users.ofCertificate(certificate),
    ];
  }
}

function hostKey(map: string, { hostname, matcher }: Json): string {
  return `${map} ${hostname || matcher}`;
}
