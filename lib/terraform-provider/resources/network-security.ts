import type { RestRow } from "./rest-row";

/** Resource types of Network Security. Source: the provider's source code at 6.50.0. */
export const networkSecurityRows: readonly RestRow[] = [
  {
    type: "google_network_security_server_tls_policy",
    service: "networksecurity",
    collection: "projects/{project}/locations/{location}/serverTlsPolicies",
    nameParameter: "serverTlsPolicyId",
    forceNew: ["name", "project", "mtls_policy.client_validation_mode", "mtls_policy.client_validation_trust_config"],
    defaults: { location: "global" },
    update: "mask",
  },
];
