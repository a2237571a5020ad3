import { defined } from "../json/defined";
import { CertificateManager, type HttpsFrontend } from "./certificate-manager";
import type { CloudOptions } from "./cloud-model";
import { createComputeService, type Frontend } from "./compute";
import type { Faults } from "./faults";
import { LoadBalancers } from "./load-balancer";
import type { NameServer } from "./name-server";
import { createNetworkSecurity, type NetworkSecurity } from "./network-security";
import type { ServiceOptions } from "./operations";
import { addressesAt, lookUpAt, type OwnAuthority } from "./own-services";
import { PrivateCas } from "./private-ca/service";
import { projectSettings } from "./projects";
import { withFurtherAnchors } from "./tls";

interface CloudParts extends Required<ServiceOptions> {
  readonly faults: Faults;
  readonly authority: OwnAuthority;
  readonly nameServer: NameServer;
}

/** Creates the load balancers and the services that configure them. Each reads from the others. */
export function createLoadBalancing(
  { behavior, certificates, observers }: Required<Pick<CloudOptions, "behavior" | "certificates" | "observers">>,
  parts: CloudParts,
) {
  const { faults, authority, nameServer, ...common } = parts;
  const { store, clock } = common;
  const { propagationMs = 5_000, pace, renewingState } = behavior;
  const { managedKeyAlgorithm = "rsa-2048", validDays = 90, clientAnchors = [], caaIdentities } = certificates;
  const onChange = () => loadBalancers.changed();
  const issueManaged = async (names: readonly string[]) => {
    const issued = await authority.issue(names, managedKeyAlgorithm, validDays);
    observers.onIssued?.({ time: clock.now().toISOString(), domains: names });
    return issued;
  };
  const settingsOf = projectSettings(store);
  const privateCas = new PrivateCas({
    ...common,
    isDisabled: faults.disablesAuthority,
    refusesIssuance: faults.refusesIssuance,
    bindingsOf: (project) => settingsOf.get(project)?.iamBindings,
    configsUsing: (pool) => manager.configsUsing(pool),
  });
  const manager: CertificateManager = new CertificateManager({
    ...common,
    propagatedMs: () => loadBalancers.reachedMs(),
    fault: faults.ofDomain,
    lookUp: lookUpAt(nameServer),
    issue: issueManaged,
    privateCas: {
      issue: async (pool, request) => {
        const issued = await privateCas.issue(pool, request);
        if (!("refusal" in issued))
          observers.onIssued?.({ time: clock.now().toISOString(), domains: request.dnsNames });
        return issued;
      },
      hasPool: (name) => privateCas.hasPool(name),
    },
    visibility: { addressesOf: addressesAt(nameServer), frontends: () => httpsFrontendsOf(compute.frontends()) },
    users: {
      ofMap: (map) => compute.targetsOfMap(map),
      ofCertificate: (certificate) => compute.proxiesUsing(certificate),
      ofTrustConfig: (trustConfig) => networkSecurity.policiesUsing(trustConfig),
    },
    onChange,
    ...defined({ pace, renewingState, caaIdentities }),
  });
  const networkSecurity: NetworkSecurity = createNetworkSecurity({
    ...common,
    trustConfigs: () => manager.trustConfigs(),
    proxiesUsing: (policy) => compute.proxiesUsing(policy),
    onChange,
  });
  const compute = createComputeService({
    ...common,
    certificates: {
      hasMap: (name) => manager.hasMap(name),
      hasCertificate: (name) => manager.certificate(name) !== undefined,
      certificateScope: (name) => manager.certificate(name)?.scope,
    },
    serverTlsPolicy: (name) => {
      const policy = networkSecurity.policy(name);
      if (policy === undefined) return undefined;
      return { name: policy.name, isForLoadBalancers: networkSecurity.requirementOf(policy.name) !== undefined };
    },
    onChange,
    managedSsl: { addressesOf: addressesAt(nameServer), issue: issueManaged },
    limitOf: (project, metric) => projectSettings(store).get(project)?.quotas?.[metric],
  });
  const loadBalancers = new LoadBalancers({
    clock,
    certificates: manager,
    frontends: () => compute.frontends(),
    requirementOf: (policy) => {
      const requirement = networkSecurity.requirementOf(policy);
      return requirement && withFurtherAnchors(requirement, clientAnchors);
    },
    propagationMs: () => faults.plan.propagationMs ?? propagationMs,
    presentsDeleted: behavior.deletedCertificates !== "gone at once",
    observers,
  });
  return { manager, networkSecurity, privateCas, compute, loadBalancers };
}

/** Returns the TLS frontends on port 443, with their certificates of Certificate Manager. */
function httpsFrontendsOf(frontends: readonly Frontend[]): readonly HttpsFrontend[] {
  return frontends
    .filter(({ port, proxy }) => port === 443 && proxy.kind !== "http")
    .map(({ ipAddress, certificateMap, certificates }) => ({
      ipAddress,
      ...defined({ certificateMap }),
      certificates: certificates.filter((certificate) => typeof certificate === "string"),
    }));
}
