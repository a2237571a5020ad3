import type { Group } from "../../behavior";
import { changes } from "./changes";
import { disabledApi } from "./disabled-api";
import { projects } from "./projects";
import { services } from "./services";

export const serviceUsage: readonly Group[] = [services, changes, disabledApi, projects];
