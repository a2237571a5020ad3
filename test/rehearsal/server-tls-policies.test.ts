import { createHttpClient } from "../../lib/http";
import { makeNamedPolicies } from "../../lib/rehearsal/server-tls-policies";
import { startTestCloud } from "../support/cloud";

test("creates the server TLS policies that proxies name, and no others", async () => {
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
  await makeNamedPolicies(stack, making);
  // Each rehearsal prepares its stack again.
  await makeNamedPolicies(stack, making);
  const list = await cloud.make("GET", "/v1/projects/p1/locations/global/serverTlsPolicies");
  expect(list.serverTlsPolicies).toEqual([expect.objectContaining({ name: policy })]);
});
