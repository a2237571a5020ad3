import { InputError } from "../errors";
import { quote } from "../text/quote";
import { printableUrl } from "./printable-url";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy through which a URL is asked. */
export interface Proxy {
  /** With user and password, where it wants them: never to be shown. */
  readonly url: URL;
  /** The variable that names it, as in `HTTPS_PROXY`. */
  readonly variable: string;
}

/** In the order in which they count; the last two are what Google's library for credentials falls back on, and one way has to do for both. */
const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

/**
 * Through which proxy the environment wants a URL to be asked. Plain HTTP never goes through one: it is for services on this machine.
 *
 * @throws InputError `proxy-malformed`
 */
export function proxyFor(url: URL, env: Environment = process.env): Proxy | undefined {
  const variable = variables.find((name) => (env[name] ?? "") !== "");
  if (variable === undefined || url.protocol !== "https:" || isExempt(url, env)) return undefined;
  const named = env[variable] ?? "";
  const proxy = URL.canParse(named) ? new URL(named) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && proxy.host !== "") return { url: proxy, variable };
  // A password may stand before the last @, wherever it is that the text went wrong.
  const shown = quote(named.slice(named.lastIndexOf("@") + 1));
  throw new InputError("proxy-malformed", `${variable} ${shown} is not a proxy; use http://HOST:PORT, or unset it`);
}

/** NO_PROXY as curl reads it: `*` for everything, else names with all that is below them, each with a port or without. A proxy's own machine is never meant. */
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

/** An address of IPv6 without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** For messages, as in ` through the proxy of HTTPS_PROXY, http://proxy.example:3128`; empty where there is none. */
export function proxyWords(url: string): string {
  const proxy = proxyFor(new URL(url));
  return proxy === undefined ? "" : ` through the proxy of ${proxy.variable}, ${printableUrl(proxy.url.origin)}`;
}

/**
 * The `fetch` of Node with the proxies of the environment: by itself it knows none before Node 24, and since then only where NODE_USE_ENV_PROXY is set.
 *
 * @returns rejects with InputError `proxy-malformed` as well
 */
export function environmentFetch(): typeof fetch {
  /** Proxies that were used: each keeps its connections. */
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
  // Loaded by those alone who are behind a proxy.
  const undici = require("undici") as typeof import("undici");
  const dispatcher = new undici.ProxyAgent(proxy.href);
  return (input, init) => undici.fetch(input, { ...init, dispatcher });
}
