import { isIPv4 } from "node:net";
import { quote } from "../text/quote";

/** Headers of a request by lower-case name. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns why a server on a loopback address must not answer a request; undefined if it may. A page of another site
 * could otherwise send requests to the server from the browser of this machine: with a name of its own that leads to
 * 127.0.0.1 (DNS rebinding), or across sites.
 */
export function foreignRequestReason({ host, origin }: Headers): string | undefined {
  if (host !== undefined && !isLoopbackHost(String(host))) {
    return `the Host header ${quote(String(host))} is not a loopback address; use 127.0.0.1, [::1] or localhost`;
  }
  if (origin === undefined || isSameHost(String(origin), String(host))) return undefined;
  return `requests of the origin ${quote(String(origin))} are not answered; send the request without a browser`;
}

function isLoopbackHost(host: string): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase().replace(/\.$/, "");
  if (name === undefined) return false;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  if (isIPv4(name)) return name.startsWith("127.");
  return URL.canParse(`http://${name}/`) && /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/.test(hostnameOf(name));
}

function hostnameOf(name: string): string {
  return new URL(`http://${name}/`).hostname;
}

function isSameHost(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: ofOrigin } = new URL(origin);
  const ownBase = `${protocol}//${host}/`;
  return URL.canParse(ownBase) && new URL(ownBase).host === ofOrigin;
}
