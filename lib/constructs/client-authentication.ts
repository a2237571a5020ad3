import { CertificateManagerTrustConfig } from "@cdktf/provider-google/lib/certificate-manager-trust-config";
import { NetworkSecurityServerTlsPolicy } from "@cdktf/provider-google/lib/network-security-server-tls-policy";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import type { MigrationPlan, PlannedClientAuthentication } from "../plan";
import { addDependency, addressOf, commonArguments, definedArguments, referTo } from "./reference";
import type { SharedResources } from "./shared-resources";

/** Services that trust configs and server TLS policies need. */
const apis = ["certificatemanager.googleapis.com", "networksecurity.googleapis.com"] as const;

interface PolicyOptions {
  readonly enableApis: boolean;
  readonly provider: TerraformProvider | undefined;
}

/**
 * Creates the trust configs and server TLS policies of a plan.
 *
 * @returns references to the policies, by the ids of their proxies
 */
export function makeServerTlsPolicies(
  scope: Construct,
  plan: MigrationPlan,
  shared: SharedResources,
  options: PolicyOptions,
): ReadonlyMap<string, string> {
  const all = plan.attachment.clientAuthentications ?? [];
  return new Map(all.map((planned) => [planned.proxyId, makePolicy(scope, planned, shared, options)]));
}

function makePolicy(
  scope: Construct,
  planned: PlannedClientAuthentication,
  shared: SharedResources,
  { enableApis, provider }: PolicyOptions,
): string {
  const { proxyId, location, project, mode } = planned;
  const trustConfig = new CertificateManagerTrustConfig(
    scope,
    `trust-config-${proxyId}`,
    definedArguments<ConstructorParameters<typeof CertificateManagerTrustConfig>[2]>({
      ...commonArguments({ ...planned, name: planned.trustConfigName }),
      location,
      trustStores: trustStoresOf(planned),
      allowlistedCertificates: planned.allowlisted.length === 0 ? undefined : planned.allowlisted.map(toPemCertificate),
      provider,
    }),
  );
  const policy = new NetworkSecurityServerTlsPolicy(
    scope,
    `server-tls-policy-${proxyId}`,
    definedArguments<ConstructorParameters<typeof NetworkSecurityServerTlsPolicy>[2]>({
      ...commonArguments({ ...planned, name: planned.policyName }),
      location,
      mtlsPolicy: { clientValidationMode: mode, clientValidationTrustConfig: referTo(trustConfig, "id") },
      lifecycle: {
        createBeforeDestroy: true,
        // The service answers with the number of the project, and the provider would replace the policy in every apply.
        // Another trust config is another name of the policy.
        ignoreChanges: ["mtls_policy[0].client_validation_trust_config"],
      },
      provider,
    }),
  );
  if (enableApis) {
    for (const api of apis) {
      const enabled = addressOf(shared.enableApi(api, { owner: scope, project, provider }));
      addDependency(trustConfig, enabled);
      addDependency(policy, enabled);
    }
  }
  return referTo(policy, "id");
}

function trustStoresOf({ trustAnchors, intermediates }: PlannedClientAuthentication) {
  if (trustAnchors.length === 0) return undefined;
  return [
    definedArguments<{ trustAnchors: { pemCertificate: string }[]; intermediateCas?: { pemCertificate: string }[] }>({
      trustAnchors: trustAnchors.map(toPemCertificate),
      intermediateCas: intermediates.length === 0 ? undefined : intermediates.map(toPemCertificate),
    }),
  ];
}

function toPemCertificate(pemCertificate: string): { pemCertificate: string } {
  return { pemCertificate };
}
