import { InputError } from "../errors";
import { quote } from "../text/quote";
import { printableUrl } from "./printable-url";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for requests to a URL. */
export interface Proxy {
  /** Contains user and password if the proxy needs them; never show it. */
  readonly url: URL;
  /** The variable that sets the proxy, for example `HTTPS_PROXY`. */
  readonly variable: string;
}

/** In order of precedence. Google's credentials library also uses the last two, and both have to use the same proxy. */
const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

/**
 * Returns the proxy of the environment for a URL. Plain HTTP never uses a proxy, because it is for services on this
 * machine.
 *
 * @throws InputError `proxy-malformed`
 */
export function proxyFor(url: URL, env: Environment = process.env): Proxy | undefined {
  const variable = variables.find((name) => (env[name] ?? "") !== "");
  if (variable === undefined || url.protocol !== "https:" || isExempt(url, env)) return undefined;
  const named = env[variable] ?? "";
  const proxy = URL.canParse(named) ? new URL(named) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && proxy.host !== "") return { url: proxy, variable };
  // A password may precede the last @, wherever the text is malformed.
  const shown = quote(named.slice(named.lastIndexOf("@") + 1));
  throw new InputError("proxy-malformed", `${variable} ${shown} is not a proxy; use http://HOST:PORT, or unset it`);
}

/**
 * Returns whether `NO_PROXY` exempts a URL, with the rules of curl: `*` for everything, otherwise names with all names
 * below them, each with or without a port. This machine itself is always exempt.
 */
function isExempt({ hostname, port }: URL, env: Environment): boolean {
  const host = bare(hostname);
  if (host === "localhost" || host === "::1" || host.startsWith("127.")) return true;
  const entries = (env.NO_PROXY ?? env.no_proxy ?? "").toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    if (entry === "*") return true;
    const [, beforePort, ofPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    const name = bare(beforePort ?? entry).replace(/^\*?\./, "");
    if (name === "" || (ofPort !== undefined && ofPort !== (port || "443"))) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Returns an IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/**
 * Returns a text for messages, for example ` through the proxy of HTTPS_PROXY, http://proxy.example:3128`; empty
 * without a proxy.
 */
export function proxyWords(url: string): string {
  const proxy = proxyFor(new URL(url));
  return proxy === undefined ? "" : ` through the proxy of ${proxy.variable}, ${printableUrl(proxy.url.origin)}`;
}

/**
 * Returns the `fetch` of Node with the proxies of the environment. Node itself supports none before version 24, and
 * later only if NODE_USE_ENV_PROXY is set.
 *
 * @returns a function that may also reject with InputError `proxy-malformed`
 */
export function environmentFetch(): typeof fetch {
  /** One `fetch` for each proxy, which keeps its connections. */
  const fetches = new Map<string, typeof fetch>();
  return async (input, init) => {
    const proxy = proxyFor(new URL(input instanceof Request ? input.url : input));
    if (proxy === undefined) return fetch(input, init);
    const known = fetches.get(proxy.url.href) ?? fetchThrough(proxy.url);
    fetches.set(proxy.url.href, known);
    return known(input, init);
  };
}

function fetchThrough(proxy: URL): typeof fetch {
  // Loaded only if a proxy is used.
  const undici = require("undici") as typeof import("undici");
  const dispatcher = new undici.ProxyAgent(proxy.href);
  return (input, init) => undici.fetch(input, { ...init, dispatcher });
}
