import type { Group } from "../../behavior";
import { serverTlsPolicies } from "./server-tls-policies";

export const networkSecurity: readonly Group[] = [serverTlsPolicies];
