import { createHttpClient } from "../../lib/http";
import { makeNamedPolicies } from "../../lib/rehearsal/server-tls-policies";
import { makeClientPki } from "../support/client-certificates";
import { startTestCloud } from "../support/cloud";

test("creates the server TLS policies that proxies name with their mode and one trust anchor, and no others", async () => {
  await using cloud = await startTestCloud();
  const policy = "projects/p1/locations/global/serverTlsPolicies/clients";
  const stack = {
    resource: {
      google_compute_target_https_proxy: {
        web: { name: "web", server_tls_policy: `//networksecurity.googleapis.com/${policy}` },
        own: { name: "own", server_tls_policy: "${google_network_security_server_tls_policy.own.id}" },
        plain: { name: "plain" },
      },
    },
  };
  const making = { cloudUrl: cloud.endpoints.http, http: createHttpClient() };
  const { root } = makeClientPki();
  const named = { mode: "REJECT_INVALID", anchorPem: root.pem } as const;
  await makeNamedPolicies(stack, named, making);
  // Each rehearsal prepares its stack again.
  await makeNamedPolicies(stack, named, making);
  const list = await cloud.make("GET", "/v1/projects/p1/locations/global/serverTlsPolicies");
  const trustConfig = expect.stringMatching(/\/locations\/global\/trustConfigs\/rehearsal-clients$/);
  expect(list.serverTlsPolicies).toEqual([
    expect.objectContaining({
      name: policy,
      mtlsPolicy: { clientValidationMode: "REJECT_INVALID", clientValidationTrustConfig: trustConfig },
    }),
  ]);
  expect(await cloud.make("GET", "/v1/projects/p1/locations/global/trustConfigs/rehearsal-clients")).toMatchObject({
    trustStores: [{ trustAnchors: [{ pemCertificate: root.pem }] }],
  });
});
