/** The cloud's own name server, and the look-ups of the cloud's CA in it. */
import { createResolver, withDot } from "../dns";
import { InputError } from "../errors";
import type { LookUp } from "./certificate-manager";
import { type NameServer, type NameServerOptions, startNameServer } from "./name-server";

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
export function lookUpAt({ address, port }: NameServer): LookUp {
  const resolver = createResolver({ server: { address, port } });
  return async (name, type) => {
    const found = await resolver.resolve(name, type);
    if (!found.ok) return { rcode: rcodes[found.detail] ?? "SERVFAIL", data: [] };
    const data = found.records.map((record) => (type === "CNAME" ? withDot(record.data) : record.data));
    return { rcode: found.exists ? "NOERROR" : "NXDOMAIN", data };
  };
}

/**
 * Returns a function that queries a name server for the IPv4 and IPv6 addresses of a name. The list is empty if the
 * name has no addresses or the query fails.
 */
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
