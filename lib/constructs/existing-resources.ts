import { Token } from "cdktf";
import { InputError } from "../errors";
import { checks, readResourceId } from "../plan";
import { quote } from "../text/quote";
import { nameClass } from "./kit";

/** A certificate map that exists elsewhere: in another stack, another configuration, or created manually. */
export class CertificateMap {
  /** `projects/P/locations/global/certificateMaps/M`, or a reference. */
  readonly id: string;

  private constructor(id: string) {
    this.id = id;
  }

  /**
   * Refers to a map by its id.
   *
   * @param id `projects/P/locations/global/certificateMaps/M`, with or without the prefix
   * `//certificatemanager.googleapis.com/`; or a reference
   * @throws InputError `map-id-malformed`
   *
   * @example
   * ```ts
   * CertificateMap.fromId("projects/my-project/locations/global/certificateMaps/web");
   * ```
   */
  static fromId(id: string): CertificateMap {
    requireId(id, "certificateMaps", "map-id-malformed", "CertificateMap.fromId");
    return new CertificateMap(id);
  }
}
nameClass(CertificateMap, "CertificateMap");

/** A DNS authorization that exists elsewhere: in another stack, another configuration, or created manually. */
export class DnsAuthorization {
  /** `projects/P/locations/L/dnsAuthorizations/A`, or a reference. */
  readonly id: string;

  private constructor(id: string) {
    this.id = id;
  }

  /**
   * Refers to an authorization by its id.
   *
   * @param id `projects/P/locations/L/dnsAuthorizations/A`, or a reference
   * @throws InputError `authorization-id-malformed`
   *
   * @example
   * ```ts
   * DnsAuthorization.fromId("projects/my-project/locations/global/dnsAuthorizations/example-com");
   * ```
   */
  static fromId(id: string): DnsAuthorization {
    requireId(id, "dnsAuthorizations", "authorization-id-malformed", "DnsAuthorization.fromId");
    return new DnsAuthorization(id);
  }
}
nameClass(DnsAuthorization, "DnsAuthorization");

function requireId(
  id: unknown,
  collection: Parameters<typeof readResourceId>[1],
  code: "map-id-malformed" | "authorization-id-malformed",
  factory: string,
): void {
  if (Token.isUnresolved(id) || (typeof id === "string" && readResourceId(id, collection) !== undefined)) return;
  const shown = typeof id === "string" ? quote(id) : typeof id;
  throw new InputError(code, `${factory}: invalid id ${shown}; ${checks[code].remedy}`);
}
