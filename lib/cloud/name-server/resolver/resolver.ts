import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { InputError, ServiceError } from "../../../errors";
import { quote } from "../../../text/quote";
import { canonicalName, readDomainName } from "../domain-name";
import { typeNumber } from "../numbers";
import { askOverTcp, askOverUdp, type Exchange, type ServerAddress } from "./exchange";
import type { ReceivedAnswer, ReceivedRecord, SentQuery } from "./message";

export interface ResolverOptions {
  /** The only server that the resolver queries. */
  readonly server: ServerAddress;
  /**
   * Timeout of each attempt, in milliseconds; applies again if an answer has to be fetched over TCP.
   *
   * @default 2000
   */
  readonly timeoutMs?: number;
  /**
   * Maximum number of attempts while the server does not respond or sends unreadable answers.
   *
   * @default 3
   */
  readonly attempts?: number;
  /**
   * Returns a query id, 0 to 65535; unpredictable, so that other hosts can't forge answers.
   *
   * @default - from the system's secure random source
   */
  readonly randomId?: () => number;
}

/** Result of a look-up: records, or their absence. */
export interface Resolution {
  /** `NXDOMAIN` means that neither the last name of the chain nor any subdomain of it exists. */
  readonly rcode: "NOERROR" | "NXDOMAIN";
  /** Records of the requested type at the end of the chain; empty without records. */
  readonly answers: readonly ReceivedRecord[];
  /** Targets of the followed CNAMEs, in order; empty without a CNAME. */
  readonly cnameChain: readonly string[];
  /** The zone's SOA record from a negative answer. */
  readonly soa: ReceivedRecord | undefined;
}

export interface Resolver {
  /**
   * Looks up a name, following CNAMEs (unless `type` is `CNAME`).
   *
   * The absence of records is a result; a failed look-up is an error.
   *
   * @param name with or without its trailing dot
   * @param type for example `AAAA`
   * @throws InputError with code `dns-unknown-type` or one of those of names, which begin with `dns-name-`
   * @throws ServiceError with code `dns-timeout`, `dns-unreachable`, `dns-server-failure` (SERVFAIL), `dns-refused`
   * (REFUSED), `dns-unexpected-rcode` (any other), `dns-bad-answer`, `dns-referral` (the server returns other servers
   * instead), `dns-cname-loop` or `dns-cname-chain-too-long`
   */
  resolve(name: string, type: string, options?: { readonly signal?: AbortSignal }): Promise<Resolution>;
}

/** Maximum length of a CNAME chain; public resolvers follow 8 to 17 CNAMEs. */
const longestChain = 16;

/**
 * Creates a resolver that queries one server over UDP, and over TCP if an answer is too long.
 *
 * @throws InputError with code `dns-server-not-an-address`
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { server } = options;
  if (isIP(server.address) === 0) {
    throw new InputError(
      "dns-server-not-an-address",
      `DNS server ${quote(server.address)} is not an IP address, and nobody is there to look it up: give an address, as in '127.0.0.1'`,
    );
  }
  return {
    resolve: async (name, type, { signal } = {}) => {
      const reading = readDomainName(name === "" || name.endsWith(".") ? name : `${name}.`);
      if ("problem" in reading) throw new InputError([reading.problem]);
      const number = typeNumber(type);
      if (number === undefined) {
        throw new InputError(
          "dns-unknown-type",
          `record type ${quote(type)} is unknown: use one such as A, CNAME or TYPE65`,
        );
      }
      return follow(reading.name, type, (owner) => ask({ name: owner, type: number }, options, signal));
    },
  };
}

/** Queries until the end of the chain is known: a server may follow CNAMEs itself, or leave them to the client. */
async function follow(
  name: string,
  type: string,
  askFor: (name: string) => Promise<ReceivedAnswer>,
): Promise<Resolution> {
  const cnameChain: string[] = [];
  const seen = new Set([canonicalName(name)]);
  let owner = name;
  for (;;) {
    const asked = owner;
    const answer = await askFor(asked);
    for (;;) {
      const alias = type === "CNAME" ? undefined : recordsOf(answer, owner, "CNAME")[0];
      if (alias === undefined) break;
      owner = alias.data;
      cnameChain.push(owner);
      if (seen.has(canonicalName(owner))) {
        throw chainError("dns-cname-loop", name, cnameChain, "leads back to itself");
      }
      if (cnameChain.length > longestChain) {
        throw chainError("dns-cname-chain-too-long", name, cnameChain, `has more than ${longestChain} links`);
      }
      seen.add(canonicalName(owner));
    }
    const answers = recordsOf(answer, owner, type);
    const soa = answer.authority.find((record) => record.type === "SOA");
    const rcode = answer.rcode === "NXDOMAIN" ? "NXDOMAIN" : "NOERROR";
    if (answers.length > 0 || rcode === "NXDOMAIN" || soa !== undefined) return { rcode, answers, cnameChain, soa };
    if (owner !== asked) continue;
    const servers = answer.authority.filter((record) => record.type === "NS").map((record) => record.data);
    if (servers.length === 0) return { rcode, answers, cnameChain, soa };
    throw new ServiceError(
      `looking up ${quote(owner)}: the server does not answer but names others, ${servers.slice(0, 3).map(quote).join(", ")}, which are not asked`,
      { code: "dns-referral", retryable: false },
    );
  }
}

function recordsOf(answer: ReceivedAnswer, owner: string, type: string): readonly ReceivedRecord[] {
  const name = canonicalName(owner);
  return answer.answers.filter((record) => record.type === type && canonicalName(record.name) === name);
}

function chainError(code: string, name: string, chain: readonly string[], wrong: string): ServiceError {
  const links = [name, ...chain].slice(0, 4).map(quote).join(" → ");
  return new ServiceError(
    `looking up ${quote(name)}: the chain of CNAMEs ${links}${chain.length > 3 ? " → …" : ""} ${wrong}`,
    {
      code,
      retryable: false,
    },
  );
}

const refusals: Readonly<Record<string, { readonly code: string; readonly retryable: boolean }>> = {
  SERVFAIL: { code: "dns-server-failure", retryable: true },
  REFUSED: { code: "dns-refused", retryable: false },
};

/** Sends one question, with retries; returns only NOERROR and NXDOMAIN answers. */
async function ask(
  question: { readonly name: string; readonly type: number },
  options: ResolverOptions,
  signal: AbortSignal | undefined,
): Promise<ReceivedAnswer> {
  const { server, timeoutMs = 2000, attempts = 3, randomId = () => randomInt(0x10000) } = options;
  const limits = { server, timeoutMs, signal };
  const what = `looking up ${quote(question.name)} at ${server.address} port ${server.port}`;
  let edns = true;
  let last: Exchange = { kind: "silence" };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const query: SentQuery = { ...question, id: randomId(), edns };
    last = await askOverUdp(query, limits);
    if (last.kind === "answer" && last.answer.truncated) last = await askOverTcp(query, limits);
    if (last.kind !== "answer") continue;
    const { rcode } = last.answer;
    if (rcode === "NOERROR" || rcode === "NXDOMAIN") return last.answer;
    if (edns && (rcode === "FORMERR" || rcode === "NOTIMP")) {
      // Servers without EDNS are queried again without it (RFC 6891, section 6.2.2).
      edns = false;
      continue;
    }
    const { code, retryable } = refusals[rcode] ?? { code: "dns-unexpected-rcode", retryable: false };
    throw new ServiceError(`${what}: the server answered ${rcode}`, { code, retryable, reason: rcode });
  }
  throw noAnswer(what, last, attempts, timeoutMs);
}

function noAnswer(what: string, last: Exchange, attempts: number, timeoutMs: number): ServiceError {
  if (last.kind === "unreachable") {
    return new ServiceError(`${what}: ${last.why}`, { code: "dns-unreachable", retryable: true, cause: last.cause });
  }
  if (last.kind === "unreadable") {
    return new ServiceError(`${what}: the answer can't be read, ${last.why}`, {
      code: "dns-bad-answer",
      retryable: true,
    });
  }
  if (last.kind === "answer") {
    const { rcode } = last.answer;
    return new ServiceError(`${what}: the server answered ${rcode}`, {
      code: "dns-unexpected-rcode",
      retryable: false,
      reason: rcode,
    });
  }
  return new ServiceError(`${what}: no answer in ${attempts} attempts of ${timeoutMs} ms`, {
    code: "dns-timeout",
    retryable: true,
  });
}
