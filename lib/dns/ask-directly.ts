import type { Exchange, NameServerAddress } from "./exchange";
import type { DnsQuestion } from "./message";

type Ask = (question: DnsQuestion, server: NameServerAddress) => Promise<Exchange>;

/** How often an address may leave questions unanswered before it is asked one at a time. */
const mostSilences = 3;

/**
 * Asks name servers themselves. One that has never answered is soon asked one question at a time, and is silent to all others meanwhile: where a firewall
 * stands before it, each of thousands of questions would be waited for.
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
