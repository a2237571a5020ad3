import type { Group } from "../../behavior";
import { changes } from "./changes";
import { lists } from "./lists";
import { recordSets } from "./record-sets";
import { zoneUpdates } from "./zone-updates";
import { zones } from "./zones";

export const cloudDns: readonly Group[] = [recordSets, changes, lists, zones, zoneUpdates];
