import type { Group } from "../../behavior";

export const logging: readonly Group[] = [];
