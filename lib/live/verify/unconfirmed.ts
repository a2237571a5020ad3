import { countOf } from "../../text/words";
import { silenceMs } from "./acceptance";
import { findingOf, type VerifyFinding } from "./fallback";
import type { VerifyResult } from "./results";

/** Maximum number of hostnames in a finding, because there may be thousands. */
const mostNamed = 3;

/** Returns findings for addresses that sent nothing after a completed handshake, with the affected hostnames. */
export function unconfirmedFindings(results: readonly VerifyResult[]): readonly VerifyFinding[] {
  const byAddress = new Map<string, Set<string>>();
  for (const result of results) {
    if (!result.ok || result.confirmed) continue;
    const { address, hostname } = result;
    byAddress.set(address, (byAddress.get(address) ?? new Set()).add(hostname));
  }
  return [...byAddress].map(([address, hostnames]) => {
    const named = [...hostnames].slice(0, mostNamed).join(", ");
    const rest = hostnames.size - mostNamed;
    const more = rest > 0 ? ` and ${countOf(rest, "other hostname")}` : "";
    return findingOf("not-confirmed", address, `no answer in ${silenceMs} ms after the handshake for ${named}${more}`);
  });
}
