import type { Hostname } from "../hostnames";
import type { Finding } from "./findings";
import type {
  AdoptedTargetHttpsProxySpec,
  AdoptedTargetSslProxySpec,
  AuthorizationType,
  CertificateScope,
  Gate,
  LoadBalancerKind,
  NewTargetHttpsProxySpec,
  NewTargetSslProxySpec,
  Phase,
  PreviousRecords,
  ZoneSpec,
} from "./spec";

/**
 * What a migration makes. Every list is sorted by identity, and nothing in it depends on the order in which the spec was
 * written. Findings of severity `error` mean that the plan must not be carried out.
 */
export interface MigrationPlan {
  readonly name: string;
  readonly phase: Phase;
  readonly gate: Gate;
  /** `global` or a region. */
  readonly location: string;
  readonly project?: string;
  readonly authorizations: readonly PlannedAuthorization[];
  readonly records: readonly PlannedRecord[];
  readonly certificates: readonly PlannedCertificate[];
  /** Absent in phase `issue` and where certificates are attached directly. */
  readonly map?: PlannedMap;
  readonly entries: readonly PlannedEntry[];
  readonly attachment: PlannedAttachment;
  readonly traffic?: PlannedTraffic;
  readonly findings: readonly Finding[];
}

/** Descriptive fields that most resources take. */
export interface Described {
  readonly description: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A DNS authorization: one per project, location and domain. */
export interface PlannedAuthorization extends Described {
  readonly domain: Hostname;
  readonly name: string;
  readonly type: AuthorizationType;
  readonly location: string;
  readonly project?: string;
}

/** The CNAME of an authorization; its name and data are known once the authorization exists. */
export interface PlannedRecord {
  readonly domain: Hostname;
  readonly project?: string;
  readonly location: string;
  /** Absent where the record is published elsewhere by hand. */
  readonly zone?: PlannedZone;
  readonly ttlSeconds: number;
}

export interface PlannedZone extends ZoneSpec {
  /** What the zone is authoritative for. */
  readonly domain: Hostname;
}

/** How a certificate proves its right to a domain: by an authorization of this plan, or by one that exists. */
export type CertificateAuthorization =
  | { readonly domain: Hostname }
  | { readonly domain: Hostname; readonly existingId: string };

export type PlannedCertificate = PlannedManagedCertificate | PlannedSelfManagedCertificate | PlannedExistingCertificate;

interface PlannedCertificateBase {
  /** Identity within the migration: the name that was given, or the shortest domain. */
  readonly id: string;
  readonly domains: readonly Hostname[];
  readonly project?: string;
  readonly location: string;
  readonly scope: CertificateScope;
  /** JSON pointer of its place in the spec; not part of the serialized plan. */
  readonly at: string;
}

export interface PlannedManagedCertificate extends PlannedCertificateBase, Described {
  readonly kind: "managed";
  readonly name: string;
  readonly authorizations: readonly CertificateAuthorization[];
}

export interface PlannedSelfManagedCertificate extends PlannedCertificateBase, Described {
  readonly kind: "selfManaged";
  readonly name: string;
  /** Normalised: Unix line ends, one at the end. */
  readonly certificatePem: string;
}

export interface PlannedExistingCertificate extends PlannedCertificateBase {
  readonly kind: "existing";
  /** `projects/P/locations/L/certificates/C`, or a reference. */
  readonly existingId: string;
}

export type PlannedMap = PlannedNewMap | PlannedExistingMap;

export interface PlannedNewMap extends Described {
  readonly kind: "new";
  readonly name: string;
  readonly project?: string;
}

export interface PlannedExistingMap {
  readonly kind: "existing";
  /** `projects/P/locations/global/certificateMaps/M`, or a reference. */
  readonly existingId: string;
  readonly project?: string;
}

/** One hostname of the map, or its PRIMARY entry. */
export interface PlannedEntry extends Described {
  /** The hostname, or `PRIMARY`. */
  readonly hostname: Hostname | "PRIMARY";
  readonly name: string;
  /** Ids of certificates of this plan, or resource ids of existing ones; 1 to 4, the entry's own certificate first. */
  readonly certificates: readonly string[];
}

export interface PlannedAttachment {
  readonly loadBalancer: LoadBalancerKind;
  readonly via: "certificateMap" | "certificates";
  readonly region?: string;
  readonly project?: string;
  readonly proxies: readonly PlannedProxy[];
  readonly forwardingRules: readonly PlannedForwardingRule[];
  readonly addresses: { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };
}

/** A target proxy that is made or adopted here. Proxies of the app itself are the constructs' affair. */
export type PlannedProxy =
  | { readonly kind: "newHttps"; readonly id: string; readonly name: string; readonly spec: NewTargetHttpsProxySpec }
  | { readonly kind: "newSsl"; readonly id: string; readonly name: string; readonly spec: NewTargetSslProxySpec }
  | {
      readonly kind: "adoptedHttps";
      readonly id: string;
      readonly name: string;
      readonly spec: AdoptedTargetHttpsProxySpec;
    }
  | {
      readonly kind: "adoptedSsl";
      readonly id: string;
      readonly name: string;
      readonly spec: AdoptedTargetSslProxySpec;
    };

export interface PlannedForwardingRule extends Described {
  readonly id: string;
  readonly name: string;
  readonly proxyId: string;
  readonly family: "IPV4" | "IPV6";
  readonly address: string;
  readonly loadBalancingScheme: "EXTERNAL" | "EXTERNAL_MANAGED" | "INTERNAL_MANAGED";
  readonly network?: string;
  readonly subnetwork?: string;
}

export interface PlannedTraffic {
  readonly to: "previous" | "loadBalancer";
  readonly ttlSeconds: number;
  readonly hostnames: readonly Hostname[];
  readonly records: readonly PlannedTrafficRecord[];
  /** Where each of the hostnames led before, whatever the records are now; of an alias the target with its trailing dot. */
  readonly previous: Readonly<Record<string, PreviousRecords>>;
}

export interface PlannedTrafficRecord {
  /** Name without trailing dot. */
  readonly hostname: string;
  readonly type: "A" | "AAAA" | "CNAME";
  readonly data: readonly string[];
  /** Absent where records are published elsewhere by hand. */
  readonly zone?: PlannedZone;
  /** Whether the record set exists already and is taken over. */
  readonly adopt: boolean;
}
