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
  /** Identity of the migration. */
  readonly name: string;
  readonly phase: Phase;
  readonly gate: Gate;
  /** Of certificates and authorizations: `global` or a region. */
  readonly location: string;
  /** Of what names none of its own. Absent where it is the Terraform provider's. */
  readonly project?: string;
  /** Those to make; existing ones are with the certificates that refer to them. */
  readonly authorizations: readonly PlannedAuthorization[];
  /** One for each authorization to make. */
  readonly records: readonly PlannedRecord[];
  readonly certificates: readonly PlannedCertificate[];
  /** Absent in phase `issue` and where certificates are attached directly. */
  readonly map?: PlannedMap;
  /** One for each hostname, and the PRIMARY one; none in phase `issue` and where certificates are attached directly. */
  readonly entries: readonly PlannedEntry[];
  /** Without proxies and forwarding rules in phase `issue`. */
  readonly attachment: PlannedAttachment;
  /** Step 8; absent where no address record is managed. */
  readonly traffic?: PlannedTraffic;
  readonly findings: readonly Finding[];
}

/** Descriptive fields that most resources take. */
export interface Described {
  /** At most 1024 characters. */
  readonly description: string;
  /** Sorted by key; absent where there are none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A DNS authorization: one per project, location and domain. */
export interface PlannedAuthorization extends Described {
  /** Without `*.`: it covers the wildcard as well. */
  readonly domain: Hostname;
  /** Of the resource, as every `name` of a plan. */
  readonly name: string;
  readonly type: AuthorizationType;
  /** `global` or a region. */
  readonly location: string;
  /** Absent where it is the Terraform provider's. */
  readonly project?: string;
}

/** The CNAME of an authorization; its name and data are known once the authorization exists. */
export interface PlannedRecord {
  /** Of the authorization, as project and location are. */
  readonly domain: Hostname;
  readonly project?: string;
  readonly location: string;
  /** Absent where the record is published elsewhere by hand. */
  readonly zone?: PlannedZone;
  readonly ttlSeconds: number;
}

/** The zone that a record is written in. */
export interface PlannedZone extends ZoneSpec {
  /** What the zone is authoritative for. */
  readonly domain: Hostname;
}

/** How a certificate proves its right to a domain: by an authorization of this plan, or by one that exists. */
export type CertificateAuthorization =
  | { readonly domain: Hostname }
  | { readonly domain: Hostname; readonly existingId: string };

/** A certificate to make, or one that exists. */
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

/** One that Google issues and renews. */
export interface PlannedManagedCertificate extends PlannedCertificateBase, Described {
  readonly kind: "managed";
  readonly name: string;
  /** One for each domain without `*.`, sorted by it. */
  readonly authorizations: readonly CertificateAuthorization[];
}

/** One that was issued elsewhere and is uploaded. Its key is in no plan. */
export interface PlannedSelfManagedCertificate extends PlannedCertificateBase, Described {
  readonly kind: "selfManaged";
  readonly name: string;
  /** Normalised: Unix line ends, one at the end. */
  readonly certificatePem: string;
}

/** One that is in Certificate Manager already. */
export interface PlannedExistingCertificate extends PlannedCertificateBase {
  readonly kind: "existing";
  /** `projects/P/locations/L/certificates/C`, or a reference. */
  readonly existingId: string;
}

/** The map that holds the entries. */
export type PlannedMap = PlannedNewMap | PlannedExistingMap;

/** A map to make. */
export interface PlannedNewMap extends Described {
  readonly kind: "new";
  readonly name: string;
  readonly project?: string;
}

/** A map that is there already and gets further entries. */
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

/** How the load balancer gets the certificates, and where it answers. */
export interface PlannedAttachment {
  readonly loadBalancer: LoadBalancerKind;
  /** Whether proxies present a map, or certificates directly. */
  readonly via: "certificateMap" | "certificates";
  /** Absent where it is global. */
  readonly region?: string;
  /** Of new proxies and forwarding rules. Absent where it is the Terraform provider's. */
  readonly project?: string;
  readonly proxies: readonly PlannedProxy[];
  readonly forwardingRules: readonly PlannedForwardingRule[];
  /** Literal IP addresses or references; empty where nobody says. */
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

/** What leads port 443 of an address to a new proxy. */
export interface PlannedForwardingRule extends Described {
  /** Unique within the migration, as in `https-ipv4`. */
  readonly id: string;
  readonly name: string;
  /** {@link PlannedProxy} that it leads to. */
  readonly proxyId: string;
  readonly family: "IPV4" | "IPV6";
  /** An IP address, the id of a reserved one, or a reference. */
  readonly address: string;
  readonly loadBalancingScheme: "EXTERNAL" | "EXTERNAL_MANAGED" | "INTERNAL_MANAGED";
  /** Absent where it is the service's choice, as the subnetwork. */
  readonly network?: string;
  readonly subnetwork?: string;
}

/** Step 8: the address records of the hostnames. */
export interface PlannedTraffic {
  /** Where they lead: to what they were, or to the load balancer. */
  readonly to: "previous" | "loadBalancer";
  /** Of each record set, 1 to 86400. */
  readonly ttlSeconds: number;
  /** Whose records are managed; names that aliases are pointed to are not among them. */
  readonly hostnames: readonly Hostname[];
  /** Those of the hostnames, and of the names that aliases are pointed to. */
  readonly records: readonly PlannedTrafficRecord[];
  /** Where each of the hostnames led before, whatever the records are now; of an alias the target with its trailing dot. */
  readonly previous: Readonly<Record<string, PreviousRecords>>;
}

/** A record set as it is to be. */
export interface PlannedTrafficRecord {
  /** Name without trailing dot. */
  readonly hostname: string;
  readonly type: "A" | "AAAA" | "CNAME";
  /** Addresses, or the one target of an alias with its trailing dot; literals or references. */
  readonly data: readonly string[];
  /** Absent where records are published elsewhere by hand. */
  readonly zone?: PlannedZone;
  /** Whether the record set exists already and is taken over. */
  readonly adopt: boolean;
}
