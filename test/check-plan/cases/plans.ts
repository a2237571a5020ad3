import { at, type Case, gone, planOf } from "../plans";

export const refused: readonly Case[] = [
  ["Terraform could not plan to the end", planOf([], { more: { errored: true } }), ["plan-incomplete "]],

  [
    "Terraform plans an unknown action",
    planOf([{ address: at.entry, actions: ["dissolve"] }]),
    [`plan-unknown-action ${at.entry}`],
  ],
];

export const passing: readonly Case[] = [
  [
    "nothing but a part is planned",
    planOf([{ address: at.entry, actions: ["no-op"] }], { more: { complete: false } }),
    ["plan-partial "],
  ],
  [
    "Terraform defers a change: the later plan is checked for its effects",
    planOf([], {
      more: {
        complete: false,
        deferred_changes: [
          { reason: "provider_config_unknown", resource_change: { address: at.entry, change: { actions: gone } } },
        ],
      },
    }),
    ["plan-partial "],
  ],
  [
    "Terraform forgets an entry, and makes another in its place",
    planOf([{ address: "terraform_data.other", actions: ["create", "forget"], before: {} }]),
    [],
  ],
];
