import { LoadBalancer } from "../../lib";
import type { ClientAuthenticationSpec } from "../../lib/plan";
import { parseMigrationDocument, planMigration } from "../../lib/plan";
import { furtherOfPlan } from "../../lib/source/further";
import { adoptedProxy } from "../support/adopted-proxy";
import { makeClientPki } from "../support/client-certificates";
import { migrate } from "../support/migrate";
import { newStack, onlyAddress, onlyResource, synthesize } from "../support/synth";

const { root, intermediate, client } = makeClientPki();
const device = client();
const clientAuthentication: ClientAuthenticationSpec = {
  mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
  trustAnchors: [root.pem.replaceAll("\n", "\r\n")],
  intermediates: [intermediate.pem + intermediate.pem],
  allowlisted: [device.pem],
};
const adopted = adoptedProxy({ urlMap: "um" });
const trustConfigType = "google_certificate_manager_trust_config";
const policyType = "google_network_security_server_tls_policy";

function synthesized(loadBalancer: LoadBalancer, more: object = {}) {
  const stack = newStack();
  migrate(stack, { loadBalancer, ...more });
  return synthesize(stack);
}

test.each([
  ["new", LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "um", clientAuthentication } })],
  ["adopted", LoadBalancer.globalExternal({ adoptTargetHttpsProxies: [{ ...adopted, clientAuthentication }] })],
])("a %s proxy gets a policy that validates clients by a trust config", (_, loadBalancer) => {
  const stack = synthesized(loadBalancer);
  expect(onlyResource(stack, trustConfigType)).toMatchObject({
    location: "global",
    trust_stores: [
      {
        trust_anchors: [{ pem_certificate: root.pem }],
        // Bundles are split, and repeated certificates are left out.
        intermediate_cas: [{ pem_certificate: intermediate.pem }],
      },
    ],
    allowlisted_certificates: [{ pem_certificate: device.pem }],
  });
  expect(onlyResource(stack, policyType)).toMatchObject({
    location: "global",
    mtls_policy: {
      client_validation_mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
      client_validation_trust_config: `\${${onlyAddress(stack, trustConfigType)}.id}`,
    },
    lifecycle: {
      create_before_destroy: true,
      ignore_changes: ["mtls_policy[0].client_validation_trust_config"],
    },
  });
  expect(onlyResource(stack, "google_compute_target_https_proxy").server_tls_policy).toBe(
    `\${${onlyAddress(stack, policyType)}.id}`,
  );
});

test("a regional proxy gets both in its region, and their APIs are enabled before", () => {
  const stack = synthesized(
    LoadBalancer.regionalExternal({
      region: "europe-west1",
      newTargetHttpsProxy: { urlMap: "um", clientAuthentication: { ...clientAuthentication, mode: "REJECT_INVALID" } },
    }),
    { enableApis: true },
  );
  const [config, policy] = [onlyResource(stack, trustConfigType), onlyResource(stack, policyType)];
  expect([config.location, policy.location]).toEqual(["europe-west1", "europe-west1"]);
  expect(JSON.stringify(policy.depends_on)).toContain("networksecurity");
  expect(onlyResource(stack, "google_compute_region_target_https_proxy").server_tls_policy).toContain(policyType);
});

test.each([
  ["an adopted", { adoptTargetHttpsProxies: [{ ...adopted, serverTlsPolicy: "${data.p.x.id}" }] }],
  ["a new", { newTargetHttpsProxy: { urlMap: "um", serverTlsPolicy: "${data.p.x.id}" } }],
])("%s proxy keeps an existing policy", (_, options) => {
  const stack = synthesized(LoadBalancer.globalExternal(options));
  expect(onlyResource(stack, "google_compute_target_https_proxy").server_tls_policy).toBe("${data.p.x.id}");
  expect(stack.resource).not.toHaveProperty(policyType);
});

describe("names", () => {
  const planned = (change: object, name = "shop") =>
    planMigration({
      name,
      certificates: [{ domains: ["example.com"] }],
      dns: { kind: "external" },
      loadBalancer: {
        kind: "globalExternal",
        newTargetHttpsProxy: { urlMap: "um", clientAuthentication: { ...clientAuthentication, ...change } },
      },
    }).attachment.clientAuthentications?.[0];

  test("of the trust config stay when its certificates change, which is done in place", () => {
    expect(planned({ trustAnchors: [makeClientPki().root.pem] })?.trustConfigName).toBe(planned({})?.trustConfigName);
    expect(planned({}, "pay")?.trustConfigName).not.toBe(planned({})?.trustConfigName);
  });

  test("of the policy change with its mode, because the service refuses changes, and are bounded", () => {
    expect(planned({ mode: "REJECT_INVALID" })?.policyName).not.toBe(planned({})?.policyName);
    const long = planned({}, "a".repeat(63));
    expect([long?.policyName.length, long?.trustConfigName.length]).toEqual([63, 63]);
    expect(long?.policyName).not.toBe(long?.trustConfigName);
  });

  test("and certificates don't depend on the order of the lists", () => {
    const other = makeClientPki().root.pem;
    expect(planned({ trustAnchors: [root.pem, other] })).toEqual(planned({ trustAnchors: [other, root.pem] }));
  });
});

test("phase 'issue' creates neither, and a plan shows both", () => {
  const spec = {
    name: "shop",
    certificates: [{ domains: ["example.com"] }],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "um", clientAuthentication } },
  } as const;
  expect(planMigration({ ...spec, phase: "issue" }).attachment).not.toHaveProperty("clientAuthentications");
  expect(furtherOfPlan(planMigration(spec)).map(({ what, detail }) => `${what}: ${detail}`)).toEqual(
    expect.arrayContaining([
      "trust config: trusts 1 root certificates of clients and 1 allowlisted certificates",
      "server TLS policy: client certificates: ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
    ]),
  );
});

test("a document may name files of certificates", () => {
  const text = [
    "name: shop",
    "certificates: [{ domains: [example.com] }]",
    "dns: { kind: external }",
    "loadBalancer:",
    "  kind: globalExternal",
    "  newTargetHttpsProxy:",
    "    urlMap: um",
    "    clientAuthentication: { mode: REJECT_INVALID, trustAnchors: ['file:clients.pem'] }",
  ].join("\n");
  const read = parseMigrationDocument(text, {
    source: "migration.yaml",
    readFile: (path) => (path === "clients.pem" ? root.pem : ""),
  });
  expect(JSON.stringify(read)).toContain(JSON.stringify(root.pem).slice(1, -1));
});
