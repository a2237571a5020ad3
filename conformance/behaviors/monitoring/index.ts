import type { Group } from "../../behavior";
import { alertPolicies } from "./alert-policies";
import { dashboards } from "./dashboards";
import { uptimeChecks } from "./uptime-checks";

export const monitoring: readonly Group[] = [uptimeChecks, alertPolicies, dashboards];
