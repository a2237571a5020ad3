import type { Exchange } from "./exchange";
import { type AskedType, type DnsRecord, withoutDot } from "./message";

/** The DNS answer for a name and a type. */
export type Resolution =
  | {
      readonly ok: true;
      /** Whether the last name of the chain exists, with records of any type. */
      readonly exists: boolean;
      /** Records of the requested type at the last name of the chain. */
      readonly records: readonly DnsRecord[];
      /** CNAME records on the way, in order; the first belongs to the requested name. */
      readonly chain: readonly DnsRecord[];
    }
  /**
   * The query failed. The detail is a response code, `timeout`, `bogus` if DNSSEC validation failed, or `alias-loop`.
   */
  | { readonly ok: false; readonly detail: string; readonly chain: readonly DnsRecord[] };

/**
 * Sends one question to resolvers.
 *
 * @param dnssec "unchecked" accepts answers that fail DNSSEC. @default "checked"
 */
export type Ask = (name: string, type: AskedType, dnssec?: "checked" | "unchecked") => Promise<Exchange>;

/** Longest chain of CNAME records that is followed, as in public resolvers. */
const longestChain = 16;

/** Queries a name, and follows its aliases. */
export async function follow(ask: Ask, name: string, type: AskedType): Promise<Resolution> {
  const chain: DnsRecord[] = [];
  const seen = new Set([withoutDot(name)]);
  for (let owner = withoutDot(name); ; ) {
    const asked = owner;
    const answer = await ask(asked, type);
    if (!answer.ok) return { ...answer, chain };
    const { rcode, answers } = answer.message;
    if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") {
      return { ok: false, detail: await whyRefused(ask, asked, type, rcode), chain };
    }
    for (;;) {
      const alias =
        type === "CNAME" ? undefined : answers.find((record) => record.type === "CNAME" && record.name === owner);
      if (alias === undefined) break;
      chain.push(alias);
      owner = alias.data;
      if (seen.has(owner) || chain.length > longestChain) return { ok: false, detail: "alias-loop", chain };
      seen.add(owner);
    }
    const isAnswer = (record: DnsRecord) => record.type === type && record.name === owner;
    const ownRecords = answers.filter(isAnswer);
    // A server that delegates the name lists the name servers in the `authority` section.
    const records = ownRecords.length === 0 && type === "NS" ? answer.message.authority.filter(isAnswer) : ownRecords;
    // A server without recursion leaves the rest of the chain to the client.
    const unfinished = owner !== asked && records.length === 0 && rcode === "NOERROR";
    if (!unfinished || answer.message.authority.some((record) => record.type === "SOA")) {
      return { ok: true, exists: rcode !== "NXDOMAIN", records, chain };
    }
  }
}

/**
 * Returns why a query failed. A validating resolver answers SERVFAIL for an answer that fails DNSSEC, and returns the
 * records if checking is disabled.
 */
async function whyRefused(ask: Ask, name: string, type: AskedType, rcode: string): Promise<string> {
  if (rcode !== "SERVFAIL") return rcode;
  const unchecked = await ask(name, type, "unchecked");
  return unchecked.ok && /^(NOERROR|NXDOMAIN)$/.test(unchecked.message.rcode) ? "bogus" : rcode;
}
