import { textsOf } from "../json/fields";
import { danger, type PlanDanger } from "./dangers";
import { types } from "./kinds";
import type { Change, Held } from "./plan-json";
import type { World } from "./world";

/** An attribute that names certificates of Certificate Manager, and the only scope that its resource can use. */
interface CertificateUse {
  readonly type: string;
  readonly attribute: string;
  readonly scope: string;
}

/** Sources: the provider's source code at 7.45.0, and the pages of Google about each load balancer. */
const uses: readonly CertificateUse[] = [
  { type: types.entry, attribute: "certificates", scope: "DEFAULT" },
  { type: "google_compute_region_target_https_proxy", attribute: "certificate_manager_certificates", scope: "DEFAULT" },
  { type: "google_compute_target_https_proxy", attribute: "certificate_manager_certificates", scope: "ALL_REGIONS" },
  { type: types.backendAuthentication, attribute: "client_certificate", scope: "CLIENT_AUTH" },
  { type: types.edgeCacheService, attribute: "edge_ssl_certificates", scope: "EDGE_CACHE" },
];

/** Certificates with a scope that the resource which gets them can't use. Certificates that the plan does not contain pass. */
export function scopeDangers(world: World): readonly PlanDanger[] {
  return uses.flatMap((use) => world.changes(use.type).flatMap((change) => scopesChanged(change, use, world)));
}

function scopesChanged(change: Change, use: CertificateUse, world: World): readonly PlanDanger[] {
  const { address, action, after, deposed } = change;
  if (deposed || action === "delete" || action === "no-op") return [];
  const named = after[use.attribute];
  const given = typeof named === "string" ? [named] : textsOf(named);
  const known = given.flatMap((id) => world.certificate(id) ?? []);
  const made = world.isUnknown(address, use.attribute) ? world.madeCertificates(address, use.attribute) : [];
  const unusable = [...new Set([...known, ...made])].filter(
    (one) => one.type === types.certificate && scopeOf(one) !== use.scope,
  );
  return unusable.map((certificate) => {
    const message = `it gets ${certificate.address} with the scope ${scopeOf(certificate)}, and can use only ${use.scope}`;
    return danger("certificate-scope-unusable", address, message);
  });
}

function scopeOf({ values: { scope } }: Held): string {
  return typeof scope === "string" && scope !== "" ? scope : "DEFAULT";
}
