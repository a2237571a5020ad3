import type { Group } from "../../behavior";
import { caDeletion } from "./ca-deletion";
import { certificateAuthorities } from "./certificate-authorities";
import { issuanceConfigs } from "./issuance-configs";
import { issuedCertificates } from "./issued-certificates";
import { pools } from "./pools";

/** The order follows the states of the only CA: staged, enabled, disabled, deleted. */
export const privateCa: readonly Group[] = [
  pools,
  certificateAuthorities,
  issuanceConfigs,
  issuedCertificates,
  caDeletion,
];
