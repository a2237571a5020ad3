import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { Construct } from "constructs";
import type { Code } from "../findings/codes";
import type { CodedFinding } from "../findings/finding";
import { defined } from "../json/defined";
import { Certificate } from "./certificate";
import type { CertificateMap } from "./existing-resources";
import { isNamed, nameClass, ownStackOf } from "./kit";
import { ManagedCertMigration } from "./managed-cert-migration";
import { defaultId } from "./migration-path";
import type { ManagedCertMigrationProps, MigrationProps } from "./migration-props";
import { plainOf } from "./plain";
import { typeOfValue, withProblems } from "./read-props";

/** Props of {@link WildcardCertWithAuth}. */
export interface WildcardCertWithAuthProps extends MigrationProps {
  /**
   * Root domain. The certificate covers the domain and its wildcard with one authorization. Tokens are an error,
   * because the domain becomes a construct id; so is a leading `*.`.
   */
  readonly domain: string;

  /**
   * Map that gets the two entries: {@link CertificateMap.fromId}, a map of this app, or the id of an existing map.
   *
   * @default - no entries; the construct only issues the certificate
   */
  readonly certificateMap?: string | CertificateMap | CertificateManagerCertificateMap;

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
export class WildcardCertWithAuth extends Construct {
  /** The migration that creates the resources, with its plan and milestones. */
  readonly migration: ManagedCertMigration;
  /** The certificate of the domain and its wildcard. */
  readonly certificate: CertificateManagerCertificate;
  /** The authorization of the root domain; undefined with an existing authorization. */
  readonly authorization: CertificateManagerDnsAuthorization | undefined;
  /** The CNAME record; undefined if this stack does not write the record in Cloud DNS. */
  readonly record: DnsRecordSet | undefined;
  /** The map entry of the domain; undefined without a map or in phase `issue`. */
  readonly rootEntry: CertificateManagerCertificateMapEntry | undefined;
  /** The map entry of the wildcard; undefined without a map or in phase `issue`. */
  readonly wildcardEntry: CertificateManagerCertificateMapEntry | undefined;

  /**
   * @param scope construct that gets the resources
   * @param id unique in its scope
   * @param props the properties
   */
  constructor(scope: Construct, id: string, props: WildcardCertWithAuthProps) {
    super(scope, id);
    ownStackOf(this);
    this.migration = new ManagedCertMigration(this, defaultId, migrationProps(props));
    const { authorizations, records, entries, plan } = this.migration;
    const root = plan.certificates[0]?.domains.find((domain) => !domain.startsWith("*.")) ?? "";
    this.certificate = this.migration.certificate("wildcard");
    this.authorization = authorizations[root];
    this.record = records[root];
    this.rootEntry = entries[root];
    this.wildcardEntry = entries[`*.${root}`];
  }
}
nameClass(WildcardCertWithAuth, "WildcardCertWithAuth");

/** Props of the migration that the construct sets itself. */
const ownProps = ["certificates", "existingCertificateMap", "loadBalancer", "traffic", "mustServe"] as const;

/** Takes the place of a domain with a mistake, so that the migration checks all other props. */
const placeholder = "example.com";

/**
 * Returns the props of the migration. The migration reports the mistakes that are found here together with all others:
 * `property-unknown`, `property-missing`, `value-wrong-type`, `map-missing`, `authorization-domain-wildcard`.
 */
function migrationProps(props: WildcardCertWithAuthProps): ManagedCertMigrationProps {
  const given = plainOf(Object(props) as WildcardCertWithAuthProps);
  const { domain, certificateMap, generation, ...rest } = given;
  const unknown: readonly string[] = ownProps.filter((name) => Reflect.get(given, name) !== undefined);
  const ofDomain = problemsOfDomain(domain);
  const ofMap = problemsOfMap(certificateMap, rest.phase);
  const root = ofDomain.length > 0 ? placeholder : domain;
  // Without a map there are no entries; the migration refuses any other value of 'phase'.
  const needsPhase = certificateMap === undefined && (rest.phase === undefined || ofMap.length > 0);
  return withProblems(
    {
      ...(Object.fromEntries(Object.entries(rest).filter(([name]) => !unknown.includes(name))) as typeof rest),
      certificates: [
        Certificate.managed({ name: "wildcard", domains: [root, `*.${root.trim()}`], ...defined({ generation }) }),
      ],
      ...(needsPhase ? { phase: "issue" } : {}),
      ...defined({ existingCertificateMap: ofMap.length > 0 ? undefined : certificateMap }),
    },
    [
      ...unknown.map((name) =>
        problem("property-unknown", `/${name}`, `unknown property '${name}': the construct sets it`),
      ),
      ...ofDomain,
      ...ofMap,
    ],
  );
}

function problemsOfDomain(domain: unknown): readonly CodedFinding<Code>[] {
  const report = (code: Code, message: string) => [problem(code, "/certificates", message)];
  const advice = "use a domain such as example.com";
  if (domain === undefined) return report("property-missing", `'domain' is missing: ${advice}`);
  if (typeof domain !== "string") return report("value-wrong-type", `'domain' is not text: ${advice}`);
  if (!domain.trim().startsWith("*.")) return [];
  const root = domain.trim().replace(/^(?:\*\.)+/, "");
  return report(
    "authorization-domain-wildcard",
    `'domain' is '${domain.trim()}'; use '${root}': the certificate has the wildcard too`,
  );
}

function problemsOfMap(map: unknown, phase: unknown): readonly CodedFinding<Code>[] {
  const report = (code: Code, message: string) => [problem(code, "/existingCertificateMap", message)];
  if (map === undefined && phase === "serve") {
    const message = "'phase' is 'serve' and 'certificateMap' is missing; set 'certificateMap', or remove 'phase'";
    return report("map-missing", message);
  }
  const isMap =
    typeof map === "string" ||
    (typeof map === "object" && map !== null && isNamed(map, "CertificateMap")) ||
    typeOfValue(map) === CertificateManagerCertificateMap.tfResourceType;
  if (map === undefined || isMap) return [];
  return report("value-wrong-type", "'certificateMap' is not a map: use the id of a map, or a map of this app");
}

function problem(code: Code, subject: string, message: string): CodedFinding<Code> {
  return { code, severity: "error", subject, message, remedy: "" };
}
