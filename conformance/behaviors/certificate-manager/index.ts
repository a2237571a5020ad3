import type { Group } from "../../behavior";
import { certificateKinds } from "./certificate-kinds";
import { dnsAuthorization } from "./dns-authorization";
import { list } from "./lists";
import { issuance, managed } from "./managed";
import { certificateMap } from "./map";
import { certificateMapEntry } from "./map-entry";
import { operation } from "./operation";
import { selfManaged } from "./self-managed";
import { trustConfig } from "./trust-config";

export const certificateManager: readonly Group[] = [
  operation,
  dnsAuthorization,
  selfManaged,
  managed,
  certificateKinds,
  issuance,
  certificateMap,
  certificateMapEntry,
  list,
  trustConfig,
];
