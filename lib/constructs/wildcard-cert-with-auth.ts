import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import type { Construct } from "constructs";
import { ManagedCertMigration, type ManagedCertMigrationProps } from "./managed-cert-migration";

/** What {@link WildcardCertWithAuth} takes. */
export interface WildcardCertWithAuthProps
  extends Omit<
    ManagedCertMigrationProps,
    "certificates" | "existingCertificateMap" | "loadBalancer" | "traffic" | "mustServe"
  > {
  /**
   * The root domain. The certificate is for it and for `*.` before it, under one authorization. Tokens are refused: the domain
   * becomes a construct id. A leading `*.` is refused as well.
   */
  readonly domain: string;

  /**
   * The map that gets the two entries: of this app, or the id of an existing one.
   *
   * @default - no entries are made; the certificate alone is issued
   */
  readonly certificateMap?: string | CertificateManagerCertificateMap;

  /** Raise it to have the certificate issued anew. @default - the first generation */
  readonly generation?: number;
}

/**
 * A wildcard certificate with the one DNS authorization that it needs, its CNAME, and two entries of a map: root and wildcard.
 *
 * The authorization is shared with every other construct of the stack that has the same domain.
 *
 * @throws InputError in the constructor, with every mistake that can be seen at synth
 */
export class WildcardCertWithAuth extends ManagedCertMigration {
  constructor(scope: Construct, id: string, props: WildcardCertWithAuthProps) {
    const { domain, certificateMap, generation, ...rest } = props;
    super(scope, id, {
      ...rest,
      certificates: [
        {
          name: "wildcard",
          domains: [domain, `*.${domain.trim()}`],
          ...(generation === undefined ? {} : { generation }),
        },
      ],
      ...(certificateMap === undefined ? { phase: "issue" } : { existingCertificateMap: certificateMap }),
    });
  }

  /** The authorization of the root domain; nothing where an existing one was passed. */
  get authorization(): CertificateManagerDnsAuthorization | undefined {
    return [...this.authorizations.values()][0];
  }

  /** The CNAME, where this stack writes it. */
  get record(): DnsRecordSet | undefined {
    return [...this.records.values()][0];
  }

  /** The certificate for the root and its wildcard. */
  get certificate(): CertificateManagerCertificate {
    return this.certificates.get("wildcard") as CertificateManagerCertificate;
  }

  /** The map's entry of the root; nothing without a map or in phase `issue`. */
  get rootEntry(): CertificateManagerCertificateMapEntry | undefined {
    return [...this.entries].find(([hostname]) => !hostname.startsWith("*."))?.[1];
  }

  /** The map's entry of the wildcard; nothing without a map or in phase `issue`. */
  get wildcardEntry(): CertificateManagerCertificateMapEntry | undefined {
    return [...this.entries].find(([hostname]) => hostname.startsWith("*."))?.[1];
  }
}
