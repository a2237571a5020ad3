import type { Group } from "../../behavior";
import { dnsAuthorization } from "./dns-authorization";
import { selfManaged } from "./self-managed";

export const certificateManager: readonly Group[] = [dnsAuthorization, selfManaged];
