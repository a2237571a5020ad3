import type { Group } from "../../behavior";

export const privateCa: readonly Group[] = [];
