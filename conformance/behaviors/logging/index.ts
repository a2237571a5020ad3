import type { Group } from "../../behavior";
import { auditEntries } from "./audit-log";
import { buckets } from "./buckets";
import { logEntries } from "./entries";
import { expiryLog } from "./expiry-log";

/** The expiry log is the last: it moves the clock of the rehearsal cloud by days. */
export const logging: readonly Group[] = [logEntries, buckets, auditEntries, expiryLog];
