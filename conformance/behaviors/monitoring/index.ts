import type { Group } from "../../behavior";

export const monitoring: readonly Group[] = [];
