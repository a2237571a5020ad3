import { type Case, cm, gone, planOf, record, type Step } from "../plans";

/** What an instance of a module creates in a project. */
function createdIn(key: string, project: string): readonly Step[] {
  const create = (type: string, after: object): Step => ({
    address: `module.shop["${key}"].${cm}_${type}.it`,
    actions: ["create"],
    after: { name: "new", project, ...after },
  });
  return [
    create("dns_authorization", { domain: "new.example.com" }),
    create("certificate", { managed: [{ domains: ["new.example.com"] }] }),
    create("certificate_map", {}),
    create("certificate_map_entry", { map: "new", hostname: "new.example.com" }),
  ];
}

export const refused: readonly Case[] = [
  [
    "a certificate is deleted whose deletion_policy is PREVENT",
    planOf([{ address: "google_certificate_manager_certificate.spare", actions: gone }], {
      there: { "google_certificate_manager_certificate.spare": { name: "spare", deletion_policy: "PREVENT" } },
    }),
    ["certificate-deletion-prevented google_certificate_manager_certificate.spare"],
  ],
  [
    "two instances of a module create resources of the same names",
    planOf(["a", "b"].flatMap((key) => createdIn(key, "p"))),
    ["certificate", "certificate_map", "certificate_map_entry", "dns_authorization"].map(
      (type) => `created-twice module.shop["b"].${cm}_${type}.it`,
    ),
  ],
];

export const passing: readonly Case[] = [
  [
    "instances of a module create resources of the same names in different projects",
    planOf(["a", "b"].flatMap((key) => createdIn(key, key))),
    [],
  ],
  [
    "a certificate is created beside one of the same name in another location",
    planOf(
      ["global", "europe-west1"].map((location) => ({
        address: `${cm}_certificate.${location}`,
        actions: ["create"],
        after: { name: "spare", location, project: "p" },
      })),
    ),
    [],
  ],
  [
    "a record set is created that the plan knows at another address",
    planOf(
      [
        {
          address: "google_dns_record_set.new",
          actions: ["create"],
          after: record("api.example.com.", "A", "192.0.2.9"),
        },
      ],
      {
        there: { "google_dns_record_set.old": record("api.example.com.", "A", "192.0.2.1") },
      },
    ),
    ["record-overwritten google_dns_record_set.new"],
  ],
];
