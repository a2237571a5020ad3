/** How proxies name the maps and certificates of Certificate Manager, and what they have to know of them. */

/** Certificate Manager, as Compute Engine asks it. Names are such as `projects/p1/locations/global/certificateMaps/m1`. */
export interface CertificateLookup {
  hasMap(name: string): boolean;
  hasCertificate(name: string): boolean;
  /** Where a certificate may be served; undefined stands for `DEFAULT`. */
  certificateScope?(name: string): string | undefined;
}

const spelling =
  /^(?:https?:)?\/\/certificatemanager\.googleapis\.com\/(?:v1\/)?(projects\/[^/]+\/locations\/[^/]+\/(?:certificateMaps|certificates)\/[^/]+)$/;

/**
 * The name in a link to Certificate Manager: `//certificatemanager.googleapis.com/projects/…`, or the address of the resource in its API,
 * as gcloud sends it.
 *
 * @returns as in `projects/p1/locations/global/certificateMaps/m1`; undefined for anything else
 */
export function certificateManagerName(link: string): string | undefined {
  return spelling.exec(link)?.[1];
}

export interface CertificateManagerPlace {
  readonly location: string;
  readonly collection: "certificateMaps" | "certificates";
}

/** @param name as {@link certificateManagerName} gives it */
export function placeOfName(name: string): CertificateManagerPlace {
  const [, , , location = "", collection] = name.split("/");
  return { location, collection: collection === "certificates" ? "certificates" : "certificateMaps" };
}
