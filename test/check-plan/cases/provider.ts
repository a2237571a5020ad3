import { type Case, gone, planOf, record } from "../plans";

export const refused: readonly Case[] = [
  [
    "a certificate is deleted whose deletion_policy is PREVENT",
    planOf([{ address: "google_certificate_manager_certificate.spare", actions: gone }], {
      there: { "google_certificate_manager_certificate.spare": { name: "spare", deletion_policy: "PREVENT" } },
    }),
    ["certificate-deletion-prevented google_certificate_manager_certificate.spare"],
  ],
];

export const passing: readonly Case[] = [
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
