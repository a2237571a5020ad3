import { quote } from "../../text/quote";

/** A forwarding rule without a listener, because no local address was available. The next change tries again. */
export interface Unbound {
  /** Full link. */
  readonly forwardingRule: string;
  /** Error of the last attempt. */
  readonly error: Error;
}

/** Emits a warning of the process. */
export function warnOfUnbound({ forwardingRule, error }: Unbound): void {
  process.emitWarning(`nothing answers for ${quote(forwardingRule)}: ${error.message}`, "RehearsalCloudWarning");
}
