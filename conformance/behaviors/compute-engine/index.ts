import type { Group } from "../../behavior";
import { targetProxies } from "./target-proxies";

export const computeEngine: readonly Group[] = [targetProxies];
