import { parseLocatedName, withoutCertificateManager } from "../../resource-names";
/**
 * Names by which proxies refer to maps and certificates of Certificate Manager, and the data that proxies need of them.
 */

/**
 * Data of Certificate Manager for Compute Engine. Names have the form
 * `projects/p1/locations/global/certificateMaps/m1`.
 */
export interface CertificateLookup {
  hasMap(name: string): boolean;
  hasCertificate(name: string): boolean;
  /** Returns the scope of a certificate; undefined means `DEFAULT`. */
  certificateScope?(name: string): string | undefined;
}

/**
 * Returns the name in a link to Certificate Manager: `//certificatemanager.googleapis.com/projects/…`, or the URL of
 * the resource in its API, as gcloud sends it.
 *
 * @returns for example `projects/p1/locations/global/certificateMaps/m1`; undefined for any other link
 */
export function certificateManagerName(link: string): string | undefined {
  const name = withoutCertificateManager(link);
  const collection = parseLocatedName(name)?.collection;
  const isKnown = collection === "certificateMaps" || collection === "certificates";
  return name !== link && isKnown ? name : undefined;
}

export interface CertificateManagerPlace {
  readonly location: string;
  readonly collection: "certificateMaps" | "certificates";
}

/** Returns the place of a map or certificate. @param name a result of {@link certificateManagerName} */
export function placeOfName(name: string): CertificateManagerPlace {
  const { location = "", collection } = parseLocatedName(name) ?? {};
  return { location, collection: collection === "certificates" ? "certificates" : "certificateMaps" };
}
