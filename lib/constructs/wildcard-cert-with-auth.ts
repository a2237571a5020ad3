import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { defined } from "../json/defined";
import { ManagedCertMigration, type ManagedCertMigrationProps } from "./managed-cert-migration";

/** Props of {@link WildcardCertWithAuth}. */
export interface WildcardCertWithAuthProps
  extends Omit<
    ManagedCertMigrationProps,
    "certificates" | "existingCertificateMap" | "loadBalancer" | "traffic" | "mustServe"
  > {
  /**
   * Root domain. The certificate covers the domain and its wildcard with one authorization. Tokens are an error,
   * because the domain becomes a construct id; so is a leading `*.`.
   */
  readonly domain: string;

  /**
   * Map that gets the two entries: a map of this app, or the id of an existing map.
   *
   * @default - no entries; the construct only issues the certificate
   */
  readonly certificateMap?: string | CertificateManagerCertificateMap;

  /** Raise this number to reissue the certificate. @default - the first generation */
  readonly generation?: number;
}

/**
 * Creates a certificate for a domain and its wildcard, the DNS authorization with its CNAME record, and two entries
 * of a certificate map.
 *
 * All constructs of the stack share the authorization of a domain.
 *
 * @throws InputError in the constructor, with all errors of the props
 *
 * @example
 * ```ts
 * new WildcardCertWithAuth(stack, "wildcard", {
 *   domain: "example.com",
 *   dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
 *   certificateMap: "projects/my-project/locations/global/certificateMaps/web",
 * });
 * ```
 */
export class WildcardCertWithAuth extends ManagedCertMigration {
  constructor(scope: Construct, id: string, props: WildcardCertWithAuthProps) {
    const { domain, certificateMap, generation, ...rest } = props;
    super(scope, id, {
      ...rest,
      certificates: [
        {
          name: "wildcard",
          domains: [rootDomain(domain, id), `*.${domain.trim()}`],
          ...defined({ generation }),
        },
      ],
      ...(certificateMap === undefined ? { phase: "issue" } : { existingCertificateMap: certificateMap }),
    });
  }

  /** Returns the authorization of the root domain; undefined with an existing authorization. */
  get authorization(): CertificateManagerDnsAuthorization | undefined {
    return [...this.authorizations.values()][0];
  }

  /** Returns the CNAME record, if this stack writes it. */
  get record(): DnsRecordSet | undefined {
    return [...this.records.values()][0];
  }

  /** Returns the certificate of the domain and its wildcard. */
  get certificate(): CertificateManagerCertificate {
    return this.certificates.get("wildcard") as CertificateManagerCertificate;
  }

  /** Returns the map entry of the domain; undefined without a map or in phase `issue`. */
  get rootEntry(): CertificateManagerCertificateMapEntry | undefined {
    return [...this.entries].find(([hostname]) => !hostname.startsWith("*."))?.[1];
  }

  /** Returns the map entry of the wildcard; undefined without a map or in phase `issue`. */
  get wildcardEntry(): CertificateManagerCertificateMapEntry | undefined {
    return [...this.entries].find(([hostname]) => hostname.startsWith("*."))?.[1];
  }
}

/** @throws InputError `authorization-domain-wildcard` */
function rootDomain(domain: string, id: string): string {
  if (!domain.trim().startsWith("*.")) return domain;
  throw new InputError(
    "authorization-domain-wildcard",
    `${id}: 'domain' is '${domain.trim()}'; use '${domain.trim().replace(/^(?:\*\.)+/, "")}': the certificate has the wildcard too`,
  );
}
