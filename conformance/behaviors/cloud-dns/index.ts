import type { Group } from "../../behavior";
import { recordSets } from "./record-sets";

export const cloudDns: readonly Group[] = [recordSets];
