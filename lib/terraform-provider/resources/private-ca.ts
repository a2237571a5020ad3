import type { RestRow } from "./rest-row";

/** Members that the provider derives from others when it writes a block of CA options. */
const derivedCaOptions = ["non_ca", "zero_max_issuer_path_length"];

/** Resource types of CA Service. Source: the provider's source code at 6.50.0. */
export const privateCaRows: readonly RestRow[] = [
  {
    type: "google_privateca_ca_pool",
    service: "privateca",
    collection: "projects/{project}/locations/{location}/caPools",
    nameParameter: "caPoolId",
    forceNew: ["name", "location", "tier", "project"],
    foreign: derivedCaOptions.map((name) => `issuance_policy.baseline_values.ca_options.${name}`),
    update: "mask",
  },
];
