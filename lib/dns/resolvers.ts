import { getServers } from "node:dns";
import { isIP } from "node:net";
import { InputError } from "../errors";
import { quote } from "../text/quote";
import type { NameServerAddress } from "./exchange";

/** Returns the resolvers of this machine. */
export function machineResolvers(): readonly NameServerAddress[] {
  return getServers().map((server) => readNameServer(server, "this machine's resolver"));
}

/**
 * Reads `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given.
 *
 * @param option name of the option for messages, for example `--dns-server`
 * @throws InputError `dns-server-malformed`
 */
export function readNameServer(text: string, option: string): NameServerAddress {
  const match = isIP(text) === 6 ? null : /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  const port = Number(match?.[3] ?? 53);
  if (isIP(address) === 0 || port < 1 || port > 65_535) {
    const message = `${option} ${quote(text)} is not an address; use HOST:PORT, as in 127.0.0.1:5353 or [::1]:53`;
    throw new InputError("dns-server-malformed", message);
  }
  return { address, port };
}
