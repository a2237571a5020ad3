import { clientRuleOf, namedPolicyOf } from "../../lib/rehearsal/client-rule";
import type { Block } from "../../lib/rehearsal/stack";

const id = "projects/p1/locations/global/serverTlsPolicies/clients";
const policyType = "google_network_security_server_tls_policy";
const made = { name: "made", server_tls_policy: `\${${policyType}.own.id}` };
const named = { name: "named", server_tls_policy: id };
const plain = { name: "plain", url_map: "web" };

function stackOf(proxies: readonly Block[], policy: unknown = undefined, more: object = {}) {
  return {
    ...more,
    resource: {
      google_compute_target_https_proxy: Object.fromEntries(proxies.map((proxy) => [String(proxy.name), proxy])),
      ...(policy === undefined ? {} : { [policyType]: { own: { name: "own", mtls_policy: policy } } }),
    },
  };
}

const modeOf = (mode: string) => ({ client_validation_mode: mode });
const rejecting = modeOf("REJECT_INVALID");
const allowing = modeOf("ALLOW_INVALID_OR_MISSING_CLIENT_CERT");
/** An imported proxy that serves its hostnames before the migration. */
const inPlace = {
  output: {
    cert_migration: {
      value: { migrations: { m: { servingProxies: [{ proxy: "projects/p1/global/targetHttpsProxies/made" }] } } },
    },
  },
};

test.each([
  ["no proxy", stackOf([]), undefined],
  ["no policy", stackOf([plain]), undefined],
  ["a policy without client validation", stackOf([made], {}), undefined],
  ["a policy that the stack does not contain", stackOf([made]), undefined],
  ["a policy that rejects", stackOf([made], rejecting), { refusesOthers: true, validates: true }],
  ["a policy in a list of blocks", stackOf([made], [rejecting]), { refusesOthers: true, validates: true }],
  ["a policy that allows", stackOf([made], allowing), { refusesOthers: false, validates: true }],
  ["an existing policy", stackOf([named]), { refusesOthers: false, validates: true }],
  ["two proxies that agree", stackOf([made, named], allowing), { refusesOthers: false, validates: true }],
  ["two proxies that differ", stackOf([made, named], rejecting), "mixed"],
  ["a proxy without a policy beside", stackOf([made, plain], rejecting), "mixed"],
  [
    "a policy that a serving proxy gets",
    stackOf([made], allowing, inPlace),
    { refusesOthers: false, validates: false },
  ],
])("reads what clients get from a stack with %s", (_, stack, rule) => {
  expect(clientRuleOf(stack)).toEqual(rule);
});

test("takes the mode of existing policies as given", () => {
  expect(clientRuleOf(stackOf([named]), "REJECT_INVALID")).toEqual({ refusesOthers: true, validates: true });
  expect(clientRuleOf(stackOf([named, made], rejecting), "REJECT_INVALID")).toEqual({
    refusesOthers: true,
    validates: true,
  });
});

test.each([
  [id, id],
  [`//networksecurity.googleapis.com/${id}`, id],
  [`https://networksecurity.googleapis.com/v1/${id}`, id],
  ["${google_network_security_server_tls_policy.own.id}", undefined],
  ["projects/p1/locations/global/trustConfigs/clients", undefined],
  [undefined, undefined],
])("reads the id of an existing policy from %j", (policy, expected) => {
  expect(namedPolicyOf({ server_tls_policy: policy })).toBe(expected);
});
