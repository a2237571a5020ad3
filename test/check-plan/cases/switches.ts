import {
  at,
  type Case,
  certificate,
  classic,
  classicId,
  classicProxy,
  cm,
  createFirst,
  destroyFirst,
  entryOf,
  gone,
  id,
  mapId,
  newMap,
  other,
  parent,
  planOf,
  proxy,
  rule,
  targetOf,
  toMap,
  toNewMap,
  waiting,
} from "../plans";

const webRule = { ...rule, port_range: "443-443" };
const secondRule = "google_compute_global_forwarding_rule.second";
const onPort443 = { there: { [at.rule]: webRule } };

export const refused: readonly Case[] = [
  [
    "a proxy loses its map",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: null } }]),
    [`map-detached ${at.proxy}`],
  ],
  [
    "a proxy gets a map that lacks a hostname",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: `${parent}/certificateMaps/next` } }], {
      there: { [`${cm}_certificate_map.next`]: { name: "next" } },
    }),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a forwarding rule is deleted",
    planOf([{ address: at.rule, actions: gone }]),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a proxy without a map loses the certificate for a name",
    planOf(
      [
        {
          address: "google_compute_region_target_https_proxy.r",
          actions: ["update"],
          before: { name: "r", certificate_manager_certificates: [`//x/${id("shop")}`, id("other")] },
          after: { certificate_manager_certificates: [id("other")] },
        },
      ],
      {
        there: { [`${cm}_certificate.other`]: { ...certificate("other"), managed: [{ domains: ["*.example.com"] }] } },
      },
    ),
    ["certificate-detached google_compute_region_target_https_proxy.r"],
  ],
  [
    "a proxy gets a map that is made in the same apply without entries",
    planOf([newMap, toNewMap]),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a proxy gets one of two new maps, and its configuration refers to that without entries",
    planOf(
      [
        newMap,
        {
          address: `${cm}_certificate_map.whole`,
          actions: ["create"],
          after: { name: "whole" },
          unknown: { id: true },
        },
        { address: other.entry, actions: ["create"], after: entryOf("whole", "shop") },
        toNewMap,
      ],
      {
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.proxy, expressions: { certificate_map: { references: [`${other.map}.id`, other.map] } } },
              ],
            },
          },
        },
      },
    ),
    [`map-switched-incomplete ${at.proxy}`],
  ],
  [
    "a map goes before the certificates of Compute Engine while the certificate of its entry is not issued",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "pending") }, toMap("next")], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com"),
        [other.map]: { name: "next" },
        [other.certificate]: certificate("pending", "PROVISIONING"),
      },
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "a map precedes unknown Compute Engine certificates while one of its entries is pending",
    planOf([toMap("next")], {
      there: {
        [at.proxy]: classicProxy("theirs"),
        [other.map]: { name: "next" },
        [other.entry]: entryOf("next", "shop", "PENDING"),
      },
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "a proxy gets a map that is made in the same apply, and does not wait for its entries",
    planOf([newMap, { address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toNewMap], {
      more: waiting(at.proxy, other.map),
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "a rule gets a proxy that has neither a map nor certificates",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { name: "bare" } },
    }),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule gets a proxy without TLS",
    planOf([
      { address: at.rule, actions: ["update"], after: { target: "projects/p/global/targetHttpProxies/redirect" } },
    ]),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule gets a proxy whose certificate is for another name",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: {
        [other.proxy]: { name: "bare", ssl_certificates: [classicId("old")] },
        [other.classic]: classic("old", "example.net"),
      },
    }),
    [`forwarding-rule-repointed ${at.rule}`],
  ],
  [
    "a rule gets a proxy whose map lacks a hostname",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { name: "bare", certificate_map: mapId("next") }, [other.map]: { name: "next" } },
    }),
    [`map-switched-incomplete ${at.rule}`],
  ],
  [
    "a rule is recreated at another address",
    planOf([{ address: at.rule, actions: createFirst, after: { ip_address: "203.0.113.99" } }]),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a rule is recreated with another port",
    planOf([{ address: at.rule, actions: createFirst, after: { port_range: "8443" } }], onPort443),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a rule is recreated with another port, and the only other rule listens at another address",
    planOf([{ address: at.rule, actions: createFirst, after: { port_range: "8443" } }], {
      there: { ...onPort443.there, [secondRule]: { ...webRule, name: "second", ip_address: "203.0.113.99" } },
    }),
    [`forwarding-rule-deleted ${at.rule}`],
  ],
  [
    "a proxy is recreated without its map",
    planOf([{ address: at.proxy, actions: createFirst, after: { name: "web2", certificate_map: null } }]),
    [`map-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map loses every certificate of Compute Engine",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [] } }], {
      there: { [at.proxy]: classicProxy("theirs") },
    }),
    [`certificate-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map gets a certificate of Compute Engine for other names",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com", "www.example.com"),
        "google_compute_managed_ssl_certificate.new": classic("new", "www.example.com"),
      },
    }),
    [`certificate-detached ${at.proxy}`],
  ],
  [
    "a proxy without a map gets a managed certificate of Compute Engine that was never issued",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: {
        [at.proxy]: classicProxy("old"),
        [other.classic]: classic("old", "example.com"),
        "google_compute_managed_ssl_certificate.new": { ...classic("new", "example.com"), expire_time: "" },
      },
    }),
    [`repointed-to-inactive ${at.proxy}`],
  ],
  ...[other.classic, other.uploaded].flatMap((address) =>
    (
      [
        ["destroyed", gone, "certificate-destroyed-early"],
        ["destroyed before it is recreated", destroyFirst, "certificate-replaced-destroy-first"],
      ] as const
    ).map(
      ([what, actions, code]) =>
        [
          `${address} is ${what} while a proxy presents it`,
          planOf([{ address, actions }], {
            there: { [at.proxy]: classicProxy("old"), [address]: classic("old", "example.com") },
          }),
          [`${code} ${address}`],
        ] as const,
    ),
  ),
];

export const passing: readonly Case[] = [
  [
    "a rule gets a proxy with a certificate that is not issued, beside one that is issued for the name",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: {
        [other.proxy]: { name: "bare", certificate_manager_certificates: [id("shop"), id("pending")] },
        [other.certificate]: certificate("pending", "PROVISIONING"),
      },
    }),
    [],
  ],
  [
    "a proxy keeps a certificate that is not issued, and gets another one",
    planOf(
      [
        {
          address: "google_compute_region_target_https_proxy.r",
          actions: ["update"],
          before: { name: "r", certificate_manager_certificates: [id("pending")] },
          after: { certificate_manager_certificates: [id("pending"), id("second")] },
        },
      ],
      {
        there: {
          [other.certificate]: certificate("pending", "PROVISIONING"),
          [`${cm}_certificate.second`]: certificate("second", "PROVISIONING"),
        },
      },
    ),
    [],
  ],
  [
    "a rule is recreated with another port, while another rule listens at the previous port",
    planOf([{ address: at.rule, actions: createFirst, after: { port_range: "8443" } }], {
      there: { ...onPort443.there, [secondRule]: { ...webRule, name: "second" } },
    }),
    [],
  ],
  ["a proxy gets a map that is made elsewhere", planOf([toMap("elsewhere")]), [`map-switched-to-unknown ${at.proxy}`]],
  [
    "a proxy gets a map that is made in the same apply, after its entries with an ACTIVE certificate for each hostname",
    planOf([newMap, { address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toNewMap], {
      more: waiting(at.proxy, other.map, other.entry),
    }),
    [],
  ],
  [
    "a proxy with certificates of Compute Engine gets a map that serves their names",
    planOf([toMap("main")], {
      there: { [at.proxy]: classicProxy("old"), [other.classic]: classic("old", "example.com") },
    }),
    [],
  ],
  [
    "a proxy gets another Compute Engine certificate, and the names of both are unknown",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: { [at.proxy]: classicProxy("theirs"), "google_compute_ssl_certificate.new": classic("new") },
    }),
    [`certificate-detached-unknown ${at.proxy}`],
  ],
  [
    "an uploaded Compute Engine certificate is recreated before the previous certificate is deleted",
    planOf(
      [
        { address: other.uploaded, actions: createFirst, after: { name: "new", self_link: undefined } },
        {
          address: at.proxy,
          actions: ["update"],
          after: { ssl_certificates: [] },
          unknown: { ssl_certificates: [true] },
        },
      ],
      {
        there: { [at.proxy]: classicProxy("old"), [other.uploaded]: classic("old") },
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.proxy, expressions: { ssl_certificates: { references: [`${other.uploaded}.id`] } } },
              ],
            },
          },
        },
      },
    ),
    [],
  ],
  [
    "a rule gets a proxy of another configuration",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("theirs") } }]),
    [`forwarding-rule-repointed-to-unknown ${at.rule}`],
  ],
  [
    "a rule gets another proxy with the same map",
    planOf([{ address: at.rule, actions: ["update"], after: { target: targetOf("bare") } }], {
      there: { [other.proxy]: { ...proxy, name: "bare" } },
    }),
    [],
  ],
  [
    "a rule follows its proxy, which is recreated with the same map",
    planOf([
      { address: at.proxy, actions: createFirst, after: { name: "web2" } },
      { address: at.rule, actions: ["update"], after: { target: undefined }, unknown: { target: true } },
    ]),
    [],
  ],
];
