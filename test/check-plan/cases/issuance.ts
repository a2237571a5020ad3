import { at, type Case, certificate, cm, createFirst, destroyFirst, type Fields, gone, parent, planOf } from "../plans";

const config = `${cm}_certificate_issuance_config.pool`;
const idOf = (name: string) => `${parent}/certificateIssuanceConfigs/${name}`;
const issuedBy = (name: string): Fields => ({
  ...certificate("shop"),
  managed: [{ domains: ["example.com"], state: "ACTIVE", issuance_config: idOf(name) }],
});
const there = {
  [config]: { id: idOf("pool"), name: "pool", location: "global", project: "p" },
  [at.certificate]: issuedBy("pool"),
};
const repointed = {
  address: at.certificate,
  actions: createFirst,
  after: { id: undefined, managed: [{ domains: ["example.com"] }] },
};

export const refused: readonly Case[] = [
  [
    "an issuance config is deleted while a certificate uses it",
    planOf([{ address: config, actions: gone }], { there }),
    [`issuance-config-deleted ${config}`],
  ],
  [
    "an issuance config without an id in the state is deleted while a certificate uses it",
    planOf([{ address: config, actions: gone }], {
      there: { ...there, [config]: { name: "pool", location: "global" } },
    }),
    [`issuance-config-deleted ${config}`],
  ],
  [
    "an issuance config is replaced under its name while a certificate uses it",
    planOf([{ address: config, actions: destroyFirst, after: { id: idOf("pool") } }], { there }),
    [`issuance-config-deleted ${config}`],
  ],
  [
    "an issuance config is replaced by another one, and a certificate still uses the previous config",
    planOf([{ address: config, actions: createFirst, after: { id: idOf("next"), name: "next" } }], { there }),
    [`issuance-config-deleted ${config}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "an issuance config is deleted that certificates of another config do not use",
    planOf([{ address: config, actions: gone }], { there: { ...there, [at.certificate]: issuedBy("other") } }),
    [],
  ],
  [
    "an issuance config gets another description",
    planOf([{ address: config, actions: ["update"], after: { description: "new" } }], { there }),
    [],
  ],
  [
    "an issuance config of another project with the same name is deleted",
    planOf([{ address: config, actions: gone }], {
      there: { ...there, [config]: { id: idOf("pool").replace("projects/p/", "projects/q/"), name: "pool" } },
    }),
    [],
  ],
  [
    "an issuance config and the certificates that use it are replaced, each new one first",
    planOf(
      [
        { address: config, actions: createFirst, after: { id: undefined, name: "next" }, unknown: { id: true } },
        { ...repointed, unknown: { id: true, managed: [{ issuance_config: true }] } },
        { address: at.entry, actions: ["update"], after: { certificates: [] }, unknown: { certificates: [true] } },
        { address: "terraform_data.gate", actions: ["create"] },
      ],
      {
        there,
        more: {
          configuration: {
            root_module: {
              resources: [
                {
                  address: "terraform_data.gate",
                  expressions: { triggers_replace: { references: [`${at.certificate}.id`, at.certificate] } },
                  provisioners: [{ type: "local-exec" }],
                },
                {
                  address: at.entry,
                  expressions: { certificates: { references: [`${at.certificate}.id`, at.certificate] } },
                  depends_on: ["terraform_data.gate"],
                },
              ],
            },
          },
        },
      },
    ),
    [],
  ],
];
