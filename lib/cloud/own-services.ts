import { createResolver, withDot } from "../dns";
import { InputError } from "../errors";
import { defined } from "../json/defined";
import {
  type AuthorityState,
  type CopiedCertificate,
  type CopyRequest,
  createAuthority,
  type PublicKeyAlgorithm,
} from "./certificate-authority";
import type { IssuedCertificate, ValidationLookUp } from "./certificate-manager";
import { type NameServer, type NameServerOptions, startNameServer } from "./name-server";
import type { Clock, Store } from "./state";

/** The CA that signs the cloud's managed certificates. */
export interface OwnAuthority {
  readonly trustBundlePem: string;
  /** Issues a certificate. @throws InputError if the certificate would outlive the CA */
  issue(
    names: readonly string[],
    publicKeyAlgorithm: PublicKeyAlgorithm,
    validDays: number,
  ): Promise<IssuedCertificate>;
  copy(request: CopyRequest): Promise<CopiedCertificate>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Opens the CA whose roots are in the store, or creates a CA. Clients check against the machine's time, while the
 * cloud's time may be far ahead.
 */
export async function openOwnAuthority(store: Store, clock: Clock): Promise<OwnAuthority> {
  const earliestNow = () => Math.min(clock.now().getTime(), Date.now());
  const kept = store.collection<AuthorityState>("cloud");
  const state = kept.get("authority");
  const authority = await createAuthority({
    commonName: "Rehearsal Cloud",
    now: () => new Date(earliestNow() - dayMs),
    ...defined({ state }),
  });
  if (state === undefined) kept.set("authority", authority.state);
  return {
    trustBundlePem: authority.trustBundlePem,
    copy: authority.copy,
    issue: (names, publicKeyAlgorithm, validDays) => {
      const beginMs = earliestNow() - hourMs;
      const endMs = clock.now().getTime() + validDays * dayMs;
      return authority.issue({
        names,
        publicKeyAlgorithm,
        notBefore: new Date(beginMs),
        validDays: Math.ceil((endMs - beginMs) / dayMs),
      });
    },
  };
}

/** Starts the name server. @throws InputError `port-taken` for a requested port that is in use */
export async function startOwnNameServer(options: NameServerOptions): Promise<NameServer> {
  const { port } = options;
  try {
    return await startNameServer(options);
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (port === undefined || cause?.code !== "EADDRINUSE") throw error;
    const advice = "end what listens there, give another port, or none for a free one";
    throw new InputError("port-taken", `127.0.0.1 port ${port}, for the name server, is in use: ${advice}`);
  }
}

/** Returns a function that queries a name server over the network, as a CA does. */
export function lookUpAt({ address, port }: NameServer): ValidationLookUp {
  const resolver = createResolver({ server: { address, port } });
  return async (name, type) => {
    const found = await resolver.resolve(name, type);
    if (!found.ok) return { rcode: rcodes[found.detail] ?? "SERVFAIL", data: [] };
    const data = found.records.map((record) => (type === "CNAME" ? withDot(record.data) : record.data));
    return { rcode: found.exists ? "NOERROR" : "NXDOMAIN", data };
  };
}

/** Returns a function that queries a name server for the addresses of a name; none if the query fails. */
export function addressesAt({ address, port }: NameServer): (name: string) => Promise<readonly string[]> {
  const resolver = createResolver({ server: { address, port } });
  return async (name) => {
    const answers = await Promise.all((["A", "AAAA"] as const).map((type) => resolver.resolve(name, type)));
    return answers.flatMap((answer) => (answer.ok ? answer.records.map(({ data }) => data) : []));
  };
}

/** Response code of a failed look-up, by the resolver's detail. */
const rcodes: Readonly<Record<string, string>> = {
  REFUSED: "REFUSED",
  timeout: "TIMEOUT",
  ECONNREFUSED: "TIMEOUT",
};
