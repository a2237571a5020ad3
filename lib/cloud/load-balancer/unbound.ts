import { quote } from "../../text/quote";

/** A forwarding rule that is not answered, since no place to listen at could be had; the next change tries again. */
export interface Unbound {
  /** Full link. */
  readonly forwardingRule: string;
  /** Why the last place was refused. */
  readonly error: Error;
}

/** Says it as a warning of the process, which goes on. */
export function warnOfUnbound({ forwardingRule, error }: Unbound): void {
  process.emitWarning(`nothing answers for ${quote(forwardingRule)}: ${error.message}`, "RehearsalCloudWarning");
}
