import { compareVersions } from "../text/version";

/** Differences between versions of the google provider that the stand-in reproduces. */
export interface ProviderBehavior {
  /** Whether a change of `self_managed` updates a certificate; if not, the change replaces the certificate. */
  readonly updatesSelfManaged: boolean;
  /** Whether a target SSL proxy may have a map and certificates together; if not, it must have exactly one of them. */
  readonly sslProxyHoldsBoth: boolean;
  /** Whether SSL certificates have a write-only private key. */
  readonly hasWriteOnlyKeys: boolean;
  /** Whether a change of `network` replaces a regional backend service. */
  readonly replacesBackendOfNetwork: boolean;
  /** Whether a project service without `disable_on_destroy` is disabled when it is destroyed. */
  readonly disablesServiceByDefault: boolean;
  /** Load-balancing scheme of global forwarding rules and backend services without a configured scheme. */
  readonly globalScheme: "EXTERNAL" | "EXTERNAL_MANAGED";
}

/** Returns the behavior of a version. @param version for example `7.45.0` */
export function behaviorOf(version: string): ProviderBehavior {
  const isFrom = (major: number, minor: number) => compareVersions(version, `${major}.${minor}.0`) >= 0;
  return {
    updatesSelfManaged: isFrom(7, 41),
    sslProxyHoldsBoth: isFrom(7, 19),
    hasWriteOnlyKeys: isFrom(7, 20),
    replacesBackendOfNetwork: isFrom(7, 4),
    disablesServiceByDefault: !isFrom(7, 0),
    globalScheme: isFrom(8, 0) ? "EXTERNAL_MANAGED" : "EXTERNAL",
  };
}
