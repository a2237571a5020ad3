import type { Group } from "../behavior";
import { certificateManager } from "./certificate-manager";
import { cloudDns } from "./cloud-dns";
import { computeEngine } from "./compute-engine";
import { logging } from "./logging";
import { monitoring } from "./monitoring";
import { networkSecurity } from "./network-security";
import { privateCa } from "./private-ca";
import { serviceUsage } from "./service-usage";

/** All behaviors, in the order of a run. */
export const groups: readonly Group[] = [
  ...certificateManager,
  ...cloudDns,
  ...computeEngine,
  ...serviceUsage,
  ...privateCa,
  ...networkSecurity,
  ...monitoring,
  ...logging,
];
