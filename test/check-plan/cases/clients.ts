import { at, type Case, createFirst, destroyFirst, type Fields, gone, planOf, proxy } from "../plans";

const place = "projects/p/locations/global";
const trustConfig = "google_certificate_manager_trust_config.clients";
const policy = "google_network_security_server_tls_policy.clients";
const strict = "google_network_security_server_tls_policy.strict";
const regional = "google_compute_region_target_https_proxy.web";
const modeOf = (client_validation_mode: string, name = "clients") => [
  { client_validation_mode, client_validation_trust_config: `projects/123/${place.slice(11)}/trustConfigs/${name}` },
];
const policyOf = (name: string, mode: string, config?: string): Fields => ({
  name,
  location: "global",
  mtls_policy: modeOf(mode, config),
});
const linkOf = (name: string) => `//networksecurity.googleapis.com/${place}/serverTlsPolicies/${name}`;
const store = (...pems: readonly string[]) => ({
  trust_stores: [{ trust_anchors: pems.map((pem_certificate) => ({ pem_certificate })) }],
});
const allowing = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT";
const there = {
  [trustConfig]: { name: "clients", location: "global", ...store("one", "two") },
  [policy]: policyOf("clients", allowing),
  [strict]: policyOf("strict", "REJECT_INVALID"),
  [at.proxy]: { ...proxy, server_tls_policy: linkOf("clients") },
  [regional]: {
    name: "web",
    ssl_policy: "old",
    server_tls_policy: linkOf("clients").replace("global", "europe-west1"),
  },
};
const rejecting = {
  ...there,
  [`${trustConfig}_others`]: { name: "others", location: "global", ...store("three") },
  [`${strict}_others`]: policyOf("others", "REJECT_INVALID", "others"),
  [at.proxy]: { ...proxy, server_tls_policy: linkOf("strict") },
};
const backends = {
  [trustConfig]: there[trustConfig],
  "google_network_security_backend_authentication_config.backends": {
    name: "backends",
    location: "global",
    trust_config: `${place}/trustConfigs/clients`,
  },
};
const without = { ...there, [at.proxy]: proxy };
const update = (after: Fields, unknown?: Fields, address: string = at.proxy) => ({
  address,
  actions: ["update"],
  after,
  ...(unknown === undefined ? {} : { unknown }),
});

export const refused: readonly Case[] = [
  [
    "a proxy loses its server TLS policy",
    planOf([update({ server_tls_policy: null })], { there }),
    [`client-policy-removed ${at.proxy}`],
  ],
  [
    "a regional proxy with a server TLS policy gets another SSL policy",
    planOf([update({ ssl_policy: "new" }, undefined, regional)], { there }),
    [`client-policy-lost ${regional}`],
  ],
  [
    "a proxy gets a policy that rejects clients",
    planOf([update({ server_tls_policy: linkOf("strict") })], { there: without }),
    [`client-policy-rejects ${at.proxy}`],
  ],
  [
    "a proxy changes from a policy that allows all clients to one that rejects some",
    planOf([update({ server_tls_policy: linkOf("strict") })], { there }),
    [`client-policy-rejects ${at.proxy}`],
  ],
  [
    "a trust config is deleted while a policy uses it",
    planOf([{ address: trustConfig, actions: ["delete"] }], { there }),
    [`trust-config-deleted ${trustConfig}`],
  ],
  [
    "a trust config is deleted while a backend authentication config uses it",
    planOf([{ address: trustConfig, actions: gone }], { there: { ...backends, [at.proxy]: proxy } }),
    [`trust-config-deleted ${trustConfig}`],
  ],
  [
    "a policy is deleted while a proxy uses it",
    planOf([{ address: policy, actions: gone }], { there }),
    [`client-policy-deleted ${policy}`],
  ],
  [
    "a policy of a proxy begins to reject clients in place",
    planOf([update({ mtls_policy: modeOf("REJECT_INVALID") }, undefined, policy)], { there }),
    [`client-policy-rejects ${policy}`],
  ],
  [
    "a policy of a proxy loses its validation of clients in place",
    planOf([update({ mtls_policy: [] }, undefined, policy)], { there }),
    [`client-policy-removed ${policy}`],
  ],
  [
    "a trust config is replaced, and deleted before its policy gets the new one",
    planOf(
      [
        { address: trustConfig, actions: destroyFirst, after: { name: "others" } },
        ...[policy, strict].map((address) =>
          update(
            { mtls_policy: modeOf(address === policy ? allowing : "REJECT_INVALID", "others") },
            undefined,
            address,
          ),
        ),
      ],
      { there },
    ),
    [`trust-config-deleted ${trustConfig}`],
  ],
  [
    "a policy is replaced, and deleted before its proxy gets the new one",
    planOf([{ address: policy, actions: destroyFirst }, update({ server_tls_policy: linkOf("clients") })], { there }),
    [`client-policy-deleted ${policy}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "a proxy gets a policy that allows all clients",
    planOf([update({ server_tls_policy: linkOf("clients") })], { there: without }),
    [],
  ],
  [
    "a proxy gets a policy that the plan does not contain",
    planOf([update({ server_tls_policy: linkOf("theirs") })], { there: without }),
    [`client-policy-unknown ${at.proxy}`],
  ],
  [
    "a proxy with a policy that rejects clients gets another one",
    planOf([update({ server_tls_policy: linkOf("theirs") })], {
      there: { ...there, [at.proxy]: { ...proxy, server_tls_policy: linkOf("strict") } },
    }),
    [],
  ],
  [
    "a policy of a proxy gets a trust config with other roots",
    planOf([update({ mtls_policy: modeOf("REJECT_INVALID", "others") }, undefined, strict)], { there: rejecting }),
    [`trust-anchor-removed ${strict}`],
  ],
  [
    "a proxy gets another policy that rejects clients, with other roots",
    planOf([update({ server_tls_policy: linkOf("others") })], { there: rejecting }),
    [`trust-anchor-removed ${at.proxy}`],
  ],
  [
    "a policy that no proxy uses begins to reject clients",
    planOf([update({ mtls_policy: modeOf("REJECT_INVALID") }, undefined, policy)], {
      there: { [trustConfig]: there[trustConfig], [policy]: there[policy], [at.proxy]: proxy },
    }),
    [],
  ],
  [
    "the absent SSL policy of a regional proxy with a server TLS policy is read as null",
    planOf([update({ ssl_policy: null, url_map: "other" }, undefined, regional)], {
      there: { ...there, [regional]: { ...there[regional], ssl_policy: "" } },
    }),
    [],
  ],
  [
    "a regional proxy with a server TLS policy and an SSL policy changes otherwise",
    planOf([update({ url_map: "other" }, undefined, regional)], { there }),
    [],
  ],
  ["a proxy with a policy changes otherwise", planOf([update({ ssl_policy: "new" })], { there }), []],
  [
    "a regional proxy without a policy gets another SSL policy",
    planOf([update({ ssl_policy: "new" }, undefined, regional)], {
      there: { ...there, [regional]: { name: "web", ssl_policy: "old" } },
    }),
    [],
  ],
  [
    "a trust config and its policies are deleted together",
    planOf(
      [trustConfig, policy, strict].map((address) => ({ address, actions: ["delete"] })),
      { there: without },
    ),
    [],
  ],
  [
    "a trust config that is in use loses a root",
    planOf([update(store("two"), undefined, trustConfig)], { there }),
    [`trust-anchor-removed ${trustConfig}`],
  ],
  [
    "a policy is replaced by one with another name, which its proxy gets first",
    planOf(
      [
        { address: policy, actions: createFirst, after: policyOf("next", allowing) },
        update({ server_tls_policy: linkOf("next") }),
      ],
      { there },
    ),
    [],
  ],
  ["a policy is deleted that no proxy uses", planOf([{ address: strict, actions: gone }], { there }), []],
  ["a trust config gets a root", planOf([update(store("one", "two", "new"), undefined, trustConfig)], { there }), []],
];
