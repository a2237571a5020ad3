import { makeCertificate } from "../../support/make-certificate";
import {
  at,
  type Case,
  certificate,
  challenge,
  classicId,
  classicProxy,
  cm,
  condition,
  createFirst,
  destroyFirst,
  entry,
  type Fields,
  gate,
  gateConfiguration,
  gone,
  id,
  newCertificate,
  next,
  other,
  planOf,
  referring,
  repoint,
  toCertificate,
} from "../plans";

const uploadedCertificates = Object.fromEntries(
  Object.entries({ old: ["example.com", "www.example.com"], new: ["www.example.com"] }).map(([name, names]) => [
    `google_compute_ssl_certificate.${name}`,
    { name, self_link: classicId(name), certificate: makeCertificate(names).certificatePem },
  ]),
);

export const refused: readonly Case[] = [
  [
    "a CNAME of an authorization is deleted",
    planOf([{ address: at.challenge, actions: gone }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "a CNAME of an authorization is replaced",
    planOf([{ address: at.challenge, actions: destroyFirst }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "an authorization is deleted",
    planOf([{ address: at.authorization, actions: gone }]),
    [`authorization-deleted ${at.authorization}`],
  ],
  [
    "a certificate is destroyed while its entry stays",
    planOf([{ address: at.certificate, actions: gone }]),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "the rest of a replacement is destroyed while an entry still has it, as -target would",
    planOf([{ address: at.certificate, actions: gone, deposed: "abcd1234", before: certificate("old") }], {
      there: { [at.entry]: entry("example.com", "old") },
    }),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "a certificate is destroyed before it is recreated",
    planOf([{ address: at.certificate, actions: destroyFirst }]),
    [`certificate-replaced-destroy-first ${at.certificate}`],
  ],
  [
    "a certificate is destroyed that a regional proxy keeps",
    planOf([{ address: `${cm}_certificate.direct`, actions: gone, before: certificate("direct") }], {
      there: {
        "google_compute_region_target_https_proxy.r": {
          certificate_manager_certificates: [`//certificatemanager.googleapis.com/${id("direct")}`],
        },
      },
    }),
    [`certificate-destroyed-early ${cm}_certificate.direct`],
  ],
  [
    "an entry is repointed to a certificate that is not issued",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("next")] } }], {
      there: { [next]: certificate("next", "PROVISIONING") },
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "an entry is repointed to a certificate that is made in the same apply, with no gate",
    planOf([newCertificate, repoint], { more: referring(next) }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "the gate of an entry ran long ago",
    planOf([newCertificate, repoint, { address: gate, actions: ["no-op"], before: {} }], {
      more: gateConfiguration(at.entry),
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "a new entry takes a name over from a wildcard before its certificate is issued",
    planOf(
      [
        newCertificate,
        {
          address: `${cm}_certificate_map_entry.www`,
          actions: ["create"],
          after: { hostname: "www.example.com", map: "main" },
          unknown: { certificates: true },
        },
      ],
      {
        there: {
          [`${cm}_certificate_map_entry.any`]: entry("*.example.com", "any"),
          [`${cm}_certificate.any`]: {
            ...certificate("any"),
            managed: [{ domains: ["*.example.com"], state: "ACTIVE" }],
          },
        },
      },
    ),
    [`repointed-to-inactive ${cm}_certificate_map_entry.www`],
  ],
  ...[
    ["aws_route53_record.c", { name: "_acme-challenge.example.com", type: "CNAME", records: challenge.rrdatas }],
    [
      "cloudflare_record.c",
      { name: "_acme-challenge.example.com", type: "CNAME", value: "1.2.authorize.certificatemanager.goog" },
    ],
    [
      "azurerm_dns_cname_record.c",
      { name: "_acme-challenge", zone_name: "example.com", record: "1.2.authorize.certificatemanager.goog" },
    ],
  ].map(
    ([address, before]) =>
      [
        `the CNAME of an authorization is deleted at another DNS provider: ${address}`,
        planOf([{ address: address as string, actions: gone, before: before as Fields }]),
        [`authorization-record-deleted ${address}`],
      ] as const,
  ),
  [
    "the CNAME of an authorization is led elsewhere",
    planOf([{ address: at.challenge, actions: ["update"], after: { rrdatas: ["wrong.example."] } }]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "the CNAME of an authorization is changed to an authorization outside of the plan",
    planOf([
      { address: at.challenge, actions: ["update"], after: { rrdatas: ["3.4.authorize.certificatemanager.goog."] } },
    ]),
    [`authorization-record-deleted ${at.challenge}`],
  ],
  [
    "an entry is repointed to a certificate that is not issued, with a condition that holds all the same",
    planOf([toCertificate("pending")], {
      there: { [other.certificate]: certificate("pending", "PROVISIONING") },
      more: condition("pass"),
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],

  [
    "an authorization is recreated first, and the certificate that was issued with it stays",
    planOf([{ address: at.authorization, actions: createFirst, after: { name: "next" } }]),
    [`authorization-replaced ${at.authorization}`],
  ],
  [
    "only the certificate is recreated, as with -target, while its entry keeps the previous certificate",
    planOf([{ address: at.certificate, actions: createFirst, after: { id: undefined, name: "next" } }]),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "a certificate is destroyed that an entry names by the project's number",
    planOf([{ address: at.certificate, actions: gone }], {
      there: {
        [at.entry]: {
          ...entry("example.com"),
          certificates: [`//certificatemanager.googleapis.com/${id("shop").replace("projects/p/", "projects/123/")}`],
        },
      },
    }),
    [`certificate-destroyed-early ${at.certificate}`],
  ],
  [
    "an entry is repointed to a new certificate behind a command that runs before it",
    planOf([newCertificate, repoint, { address: gate, actions: ["create"] }], {
      more: {
        configuration: {
          root_module: {
            resources: [
              { address: gate, expressions: {}, provisioners: [{ type: "local-exec" }] },
              { address: next, expressions: {}, depends_on: [gate] },
              {
                address: at.entry,
                expressions: { certificates: { references: [`${next}.id`, next] } },
                depends_on: [gate],
              },
            ],
          },
        },
      },
    }),
    [`repointed-to-inactive ${at.entry}`],
  ],
  [
    "an uploaded certificate of Compute Engine goes, and what stays is for other names by its PEM",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("new")] } }], {
      there: { [at.proxy]: classicProxy("old", "new"), ...uploadedCertificates },
    }),
    [`certificate-detached ${at.proxy}`],
  ],
  [
    "a CAA record is created that forbids the CA of a managed certificate",
    planOf([
      {
        address: "google_dns_record_set.caa",
        actions: ["create"],
        after: { name: "example.com.", type: "CAA", rrdatas: ['0 issue "digicert.com"'] },
      },
    ]),
    ["caa-forbids-issuance google_dns_record_set.caa"],
  ],
];

export const passing: readonly Case[] = [
  [
    "an entry is repointed to an issued certificate, and then the previous certificate is deleted",
    planOf(
      [
        { address: at.entry, actions: ["update"], after: { certificates: [id("next")] } },
        { address: at.certificate, actions: gone },
      ],
      { there: { [next]: certificate("next") } },
    ),
    [],
  ],
  [
    "an entry is repointed to a new certificate behind a gate that runs",
    planOf([newCertificate, repoint, { address: gate, actions: createFirst, before: {} }], {
      more: gateConfiguration(at.entry),
    }),
    [],
  ],
  [
    "an entry is repointed to a new certificate behind a condition that the apply judges",
    planOf([newCertificate, repoint], { more: condition("unknown") }),
    [`repointed-behind-condition ${at.entry}`],
  ],
  [
    "an entry is repointed to an uploaded certificate that is made in the same apply",
    planOf([{ ...newCertificate, after: { self_managed: [{}] } }, repoint], { more: referring(next) }),
    [],
  ],
  [
    "an entry is repointed to a certificate of another stack",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("theirs")] } }]),
    [`repointed-to-unknown ${at.entry}`],
  ],
  [
    "the CNAME of an authorization is led back to what the authorization asks for",
    planOf(
      [
        {
          address: at.challenge,
          actions: ["update"],
          before: { ...challenge, rrdatas: ["3.4.authorize.certificatemanager.goog."] },
          after: challenge,
        },
      ],
      {
        there: {
          [at.authorization]: {
            domain: "example.com",
            dns_resource_record: [{ data: "1.2.authorize.certificatemanager.goog." }],
          },
        },
      },
    ),
    [],
  ],

  [
    "an authorization and its certificate are recreated first, and a command waits for that",
    planOf(
      [
        { address: at.authorization, actions: createFirst, after: { name: "next" } },
        { address: at.certificate, actions: createFirst, after: { id: undefined }, unknown: { id: true } },
        repoint,
        { address: gate, actions: createFirst, before: {} },
      ],
      {
        more: {
          configuration: {
            root_module: {
              resources: [
                {
                  address: gate,
                  expressions: { triggers_replace: { references: [`${at.certificate}.id`, at.certificate] } },
                  provisioners: [{ type: "local-exec" }],
                },
                { address: "time_sleep.settle", expressions: {}, depends_on: [gate] },
                {
                  address: at.entry,
                  expressions: { certificates: { references: [`${at.certificate}.id`, at.certificate] } },
                  depends_on: ["time_sleep.settle"],
                },
              ],
            },
          },
        },
        there: { "time_sleep.settle": {} },
      },
    ),
    [],
  ],
  [
    "an uploaded certificate of Compute Engine goes, and what stays is for its names by its PEM",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("old")] } }], {
      there: { [at.proxy]: classicProxy("old", "new"), ...uploadedCertificates },
    }),
    [],
  ],
];
