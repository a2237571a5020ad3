import type { Group } from "../../behavior";

export const networkSecurity: readonly Group[] = [];
