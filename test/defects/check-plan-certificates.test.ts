import { at, entry, type Fields, gate, gone, id, next, planOf, repoint } from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import {
  anyWild,
  certificateAt,
  configured,
  entryAt,
  managedFor,
  regional,
  regionalAt,
  wildCertificate,
} from "./check-plan-resources";

const keyed = certificateAt("m");

/** Two certificates of one resource, by key. */
const twoCreated = ["a", "b"].map((key) => ({
  address: `${keyed}["${key}"]`,
  actions: ["create"],
  after: { managed: [{ domains: ["example.com"] }] },
  unknown: { id: true },
}));

/** An entry that gets the certificate with key 'a', behind a gate. */
const entryBehindGate = {
  address: at.entry,
  expressions: { certificates: { references: [`${keyed}["a"].id`, `${keyed}["a"]`, keyed] } },
  depends_on: [gate],
};

/** An entry that gets the certificate with key 'a' of two, behind a gate whose trigger refers to what is given. */
const behindGate = (...references: readonly string[]) =>
  planOf(
    [
      ...twoCreated,
      { address: gate, actions: ["create"], after: {}, unknown: { id: true, triggers_replace: true } },
      repoint,
    ],
    {
      more: configured(
        {
          address: gate,
          expressions: { triggers_replace: { references } },
          provisioners: [{ type: "local-exec" }],
        },
        entryBehindGate,
      ),
    },
  );

/** The same, with a gate under `for_each` of variables. Its trigger refers to the key `each.value`. */
const behindGateOf = (variables: Readonly<Record<string, Fields>>) =>
  planOf(
    [
      ...twoCreated,
      { address: `${gate}["shop"]`, actions: ["create"], after: {}, unknown: { id: true, triggers_replace: true } },
      repoint,
    ],
    {
      more: {
        variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { value }])),
        ...configured(
          {
            address: gate,
            expressions: { triggers_replace: { references: ["each.value", keyed] } },
            for_each_expression: { references: Object.keys(variables).map((name) => `var.${name}`) },
            provisioners: [{ type: "local-exec" }],
          },
          entryBehindGate,
        ),
      },
    },
  );

/** Entries and certificates that plans change, and what `check-plan` reports of each. */
testPlans([
  [
    "accepts an unissued certificate for a new hostname on a regional proxy",
    planOf([{ address: regionalAt, actions: ["update"], after: regional("shop", "slow") }], {
      there: {
        [regionalAt]: regional("shop"),
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "new.example.com"),
      },
    }),
  ],
  [
    "accepts a second certificate on an entry that keeps the one that serves",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("shop"), id("slow")] } }], {
      there: { [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com") },
    }),
  ],
  [
    "finds an entry deleted whose hostname is left to a wildcard with a certificate for other names",
    planOf([{ address: at.entry, actions: gone, before: entry("www.example.com", "shop") }], {
      there: {
        [at.entry]: entry("www.example.com", "shop"),
        ...anyWild,
        [certificateAt("any")]: managedFor("any", "ACTIVE", "a.example.com"),
      },
    }),
    "entry-deleted www.example.com",
  ],
  [
    "accepts an entry deleted whose hostname PRIMARY serves from then on",
    planOf([{ address: at.entry, actions: gone }], {
      there: { [entryAt("primary")]: { ...entry("", "shop"), hostname: undefined, matcher: "PRIMARY" } },
    }),
    "entry-deleted-covered example.com",
  ],
  [
    "finds a wildcard entry deleted while entries for its hostnames are made",
    planOf(
      [
        { address: entryAt("any"), actions: gone },
        { address: entryAt("www"), actions: ["create"], after: entry("*.example.com", "any") },
      ],
      { there: { ...anyWild, ...wildCertificate } },
    ),
    "entry-replaced *.example.com",
  ],
  [
    "finds an entry whose new certificate is a module's for another hostname",
    planOf(
      [
        {
          address: `module.tls.${next}`,
          actions: ["create"],
          after: { managed: [{ domains: ["example.net"] }] },
          unknown: { id: true },
        },
        { address: at.entry, actions: ["update"], after: { certificates: [null] }, unknown: { certificates: [true] } },
      ],
      {
        more: {
          configuration: {
            root_module: {
              resources: [
                { address: at.entry, expressions: { certificates: { references: ["module.tls.id", "module.tls"] } } },
              ],
              module_calls: {
                tls: {
                  module: {
                    outputs: { id: { expression: { references: [`${next}.id`, next] } } },
                    resources: [{ address: next, expressions: {} }],
                  },
                },
              },
            },
          },
        },
      },
    ),
    "entry-certificate-mismatch example.com",
    "repointed-to-inactive example.com",
  ],
  [
    "finds a regional proxy whose new certificate is not for a hostname that it serves",
    planOf(
      [
        {
          address: next,
          actions: ["create"],
          after: { self_managed: [{}], san_dnsnames: ["example.net"] },
          unknown: { id: true },
        },
        {
          address: regionalAt,
          actions: ["update"],
          after: { certificate_manager_certificates: [null] },
          unknown: { certificate_manager_certificates: [true] },
        },
      ],
      {
        there: { [regionalAt]: regional("shop") },
        more: configured({
          address: regionalAt,
          expressions: { certificate_manager_certificates: { references: [`${next}.id`, next] } },
        }),
      },
    ),
    "certificate-detached example.com",
  ],
  [
    "finds a gate that may wait for another instance, by a key of a variable",
    behindGate(keyed, "var.which"),
    "repointed-to-inactive example.com",
  ],
  [
    "finds a gate that may wait for another instance, by a value of 'for_each'",
    behindGate(keyed, "each.value"),
    "repointed-to-inactive example.com",
  ],
  [
    "finds a gate that may wait for another instance, by a value of 'for_each' of two variables",
    behindGateOf({ usual: { shop: "a" }, changed: { shop: "b" } }),
    "repointed-to-inactive example.com",
  ],
  [
    "accepts a gate that waits for the instance of the entry by a value of 'for_each'",
    behindGateOf({ usual: { shop: "a" } }),
  ],
  ["accepts a gate that waits for every instance", behindGate(keyed)],
  ["accepts a gate that waits for the instance of the entry", behindGate(`${keyed}["a"].id`, `${keyed}["a"]`, keyed)],
]);
