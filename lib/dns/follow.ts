import type { Exchange } from "./exchange";
import { type AskedType, bareName, type DnsRecord } from "./message";

/** What DNS says of a name and a type. */
export type Resolution =
  | {
      readonly ok: true;
      /** Whether the last name of the chain exists, with whatever records. */
      readonly exists: boolean;
      /** Records of the asked type, of the last name of the chain. */
      readonly records: readonly DnsRecord[];
      /** CNAMEs on the way, in order; the first is the asked name's own. */
      readonly chain: readonly DnsRecord[];
    }
  /** Nobody could say; the detail is a response code, `timeout`, `bogus` for what DNSSEC forbids, or `alias-loop`. */
  | { readonly ok: false; readonly detail: string; readonly chain: readonly DnsRecord[] };

/** Asks resolvers one question. @param checkingDisabled whether answers that fail DNSSEC are wanted too; not unless given */
export type Ask = (name: string, type: AskedType, checkingDisabled?: boolean) => Promise<Exchange>;

/** Longest chain of CNAMEs that is followed, as public resolvers do. */
const longestChain = 16;

/** Asks for a name, and follows its aliases. */
export async function follow(ask: Ask, name: string, type: AskedType): Promise<Resolution> {
  const chain: DnsRecord[] = [];
  const seen = new Set([bareName(name)]);
  for (let owner = bareName(name); ; ) {
    const asked = owner;
    const answer = await ask(asked, type);
    if (!answer.ok) return { ...answer, chain };
    const { rcode, answers } = answer.message;
    if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") {
      return { ok: false, detail: await whyRefused(ask, asked, type, rcode), chain };
    }
    for (;;) {
      const alias = type === "CNAME" ? undefined : answers.find((one) => one.type === "CNAME" && one.name === owner);
      if (alias === undefined) break;
      chain.push(alias);
      owner = alias.data;
      if (seen.has(owner) || chain.length > longestChain) return { ok: false, detail: "alias-loop", chain };
      seen.add(owner);
    }
    const own = (one: DnsRecord) => one.type === type && one.name === owner;
    const told = answers.filter(own);
    // Who has delegated a name sends others on, and in that says by which servers.
    const records = told.length === 0 && type === "NS" ? answer.message.authority.filter(own) : told;
    // A server that does not follow itself leaves the rest of the chain to the client.
    const unfinished = owner !== asked && records.length === 0 && rcode === "NOERROR";
    if (!unfinished || answer.message.authority.some((one) => one.type === "SOA")) {
      return { ok: true, exists: rcode !== "NXDOMAIN", records, chain };
    }
  }
}

/** A validating resolver answers SERVFAIL to what is forged, and the truth to who takes the risk. */
async function whyRefused(ask: Ask, name: string, type: AskedType, rcode: string): Promise<string> {
  if (rcode !== "SERVFAIL") return rcode;
  const unchecked = await ask(name, type, true);
  return unchecked.ok && /^(NOERROR|NXDOMAIN)$/.test(unchecked.message.rcode) ? "bogus" : rcode;
}
