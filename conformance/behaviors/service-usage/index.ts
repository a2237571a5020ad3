import type { Group } from "../../behavior";
import { services } from "./services";

export const serviceUsage: readonly Group[] = [services];
