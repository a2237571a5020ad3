import type { Exchange, NameServerAddress } from "./exchange";
import type { DnsQuestion } from "./message";

type Ask = (question: DnsQuestion, server: NameServerAddress) => Promise<Exchange>;

/** The number of unanswered questions after which an address gets only one question at a time. */
const mostSilences = 3;

/**
 * Creates a function that queries name servers directly. A server that has never answered soon gets one question at a
 * time, and other questions fail meanwhile. Behind a firewall, each of thousands of questions would otherwise wait for
 * its timeout.
 */
export function createAskDirectly(ask: Ask): Ask {
  const answering = new Set<string>();
  const silences = new Map<string, number>();
  const underWay = new Map<string, number>();
  return async (question, server) => {
    const { address } = server;
    const pending = underWay.get(address) ?? 0;
    const seemsDead = !answering.has(address) && (silences.get(address) ?? 0) >= mostSilences;
    if (seemsDead && pending > 0) return { ok: false, detail: "timeout" };
    underWay.set(address, pending + 1);
    const answer = await ask(question, server);
    underWay.set(address, (underWay.get(address) ?? 1) - 1);
    if (answer.ok) answering.add(address);
    else if (answer.detail === "timeout") silences.set(address, (silences.get(address) ?? 0) + 1);
    return answer;
  };
}
