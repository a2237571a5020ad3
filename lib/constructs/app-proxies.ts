import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { TerraformElement, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { findingsOf } from "../findings/finding";
import { Findings, type MigrationPlan } from "../plan";
import { quote } from "../text/quote";
import { constructErrors } from "./codes";
import { requireOwnKit } from "./kit";
import type { AppTargetProxy } from "./load-balancer";
import { migrationPath } from "./migration-path";
import { identityIn, inSameStack } from "./reference";
import { sslProxyHoldsBoth } from "./stack-provider";

const finding = findingsOf(constructErrors);

/**
 * Returns the findings about proxies of the app that get the certificates. The phase `issue` changes no proxy.
 *
 * @throws InputError `kit-mixed` if a proxy is of the other kit
 */
export function checkAppProxies(
  owner: Construct,
  plan: MigrationPlan,
  proxies: readonly AppTargetProxy[],
): MigrationPlan["findings"] {
  const invalid = proxies.filter((proxy) => !isTargetProxy(proxy));
  if (invalid.length > 0) {
    return invalid.map((value) =>
      finding(
        "target-proxy-invalid",
        "/loadBalancer",
        `${shown(value)} is in the lists of target proxies and is not a target proxy`,
      ),
    );
  }
  const findings = new Findings();
  for (const proxy of proxies) requireOwnKit(proxy, `${migrationPath(owner)}: the target proxy '${proxy.node.path}'`);
  if (plan.phase === "issue") return [];
  for (const proxy of proxies) {
    const what = `${kindOf(proxy)} '${proxy.node.path}'`;
    if (!inSameStack(owner, proxy)) {
      findings.report("proxy-in-other-stack", "/loadBalancer", `${what} is in another stack`);
    } else if (plan.attachment.via === "certificateMap") {
      checkForMap(proxy, what, findings);
    } else {
      checkForCertificates(plan, proxy, what, findings);
    }
  }
  return findings.sorted();
}

function isTargetProxy(value: unknown): boolean {
  if (!TerraformElement.isTerraformElement(value)) return false;
  const type: unknown = Reflect.get(value, "terraformResourceType");
  return [ComputeTargetHttpsProxy, ComputeRegionTargetHttpsProxy, ComputeTargetSslProxy].some(
    ({ tfResourceType }) => tfResourceType === type,
  );
}

function shown(value: unknown): string {
  if (TerraformElement.isTerraformElement(value)) return `'${value.node.path}'`;
  return typeof value === "string" ? quote(value) : value === null ? "null" : typeof value;
}

function checkForMap(proxy: AppTargetProxy, what: string, findings: Findings): void {
  const at = "/loadBalancer";
  const direct = proxy.sslCertificatesInput?.length ?? 0;
  if (isOf(proxy, ComputeRegionTargetHttpsProxy)) {
    findings.report("proxy-kind-mismatch", at, `${what} can't have a certificate map`);
    return;
  }
  if (proxy.certificateMapInput !== undefined) {
    const map = identityIn(TerraformStack.of(proxy), proxy.certificateMapInput);
    findings.report("proxy-holds-other-map", at, `${what} has the certificate map '${map}'`);
  }
  if (isOf(proxy, ComputeTargetSslProxy)) {
    if (direct === 0) return;
    const held = `${what} has ${direct} direct certificates`;
    if (sslProxyHoldsBoth(proxy)) findings.report("proxy-holds-certificates", at, `${held} beside the map`);
    else findings.report("ssl-proxy-holds-certificates", at, held);
    return;
  }
  if ((proxy.certificateManagerCertificatesInput?.length ?? 0) > 0) {
    const conflict = `${what} has certificateManagerCertificates and gets a map`;
    findings.report("proxy-holds-conflicting-certificates", at, conflict);
  } else if (direct > 0) {
    findings.report("proxy-holds-certificates", at, `${what} has ${direct} direct certificates beside the map`);
  }
}

function checkForCertificates(plan: MigrationPlan, proxy: AppTargetProxy, what: string, findings: Findings): void {
  const at = "/loadBalancer";
  const regional = plan.attachment.region !== undefined;
  if (isOf(proxy, ComputeTargetSslProxy)) {
    findings.report("ssl-proxy-not-allowed", at, `${what} can't have certificates of Certificate Manager directly`);
    return;
  }
  if (regional !== isOf(proxy, ComputeRegionTargetHttpsProxy)) {
    const mismatch = `${what} does not belong to a ${plan.attachment.loadBalancer} load balancer`;
    findings.report("proxy-kind-mismatch", at, mismatch);
    return;
  }
  if (isOf(proxy, ComputeTargetHttpsProxy) && proxy.certificateMapInput !== undefined) {
    findings.report("map-not-allowed", at, `${what} has a certificate map`);
  }
  for (const attribute of ["sslCertificates", "certificateManagerCertificates"] as const) {
    const count = proxy[`${attribute}Input`]?.length ?? 0;
    if (count > 0) {
      findings.report("proxy-holds-conflicting-certificates", at, `${what} has ${count} in ${attribute}`);
    }
  }
}

function kindOf(proxy: AppTargetProxy): string {
  if (isOf(proxy, ComputeTargetSslProxy)) return "target SSL proxy";
  return isOf(proxy, ComputeRegionTargetHttpsProxy) ? "regional target HTTPS proxy" : "target HTTPS proxy";
}

/** Compares the resource types: with several copies of the bindings there are several classes of one type. */
function isOf<Proxy extends AppTargetProxy>(
  proxy: AppTargetProxy,
  type: { readonly prototype: Proxy; readonly tfResourceType: string },
): proxy is Proxy {
  return proxy.terraformResourceType === type.tfResourceType;
}
