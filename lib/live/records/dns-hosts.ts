import type { RecordFormat } from "./formats";

/** A DNS host that is recognized by its name servers. */
export interface DnsHost {
  readonly name: string;
  /** The format of `cert-migration records` that the host, or a tool for the host, imports. */
  readonly format: RecordFormat;
}

/** Usual names of name servers, by DNS host. Only those of Cloud DNS are tested. */
const hosts: readonly (readonly [pattern: RegExp, host: DnsHost])[] = [
  [/(?:^|\.)awsdns-\d+\.(?:com|net|org|co\.uk)$/, { name: "Amazon Route 53", format: "route53" }],
  [/\.ns\.cloudflare\.com$/, { name: "Cloudflare", format: "cloudflare" }],
  // `az network dns zone import` reads a zone file.
  [/\.azure-dns\.(?:com|net|org|info)$/, { name: "Azure DNS", format: "bind" }],
  // `gcloud dns record-sets import --zone-file-format` reads a zone file.
  [/^ns-cloud-\w+\.googledomains\.com$/, { name: "Cloud DNS", format: "bind" }],
  [/\.nsone\.net$/, { name: "NS1", format: "octodns" }],
  [/\.akam\.net$/, { name: "Akamai Edge DNS", format: "bind" }],
  [/\.ultradns\.(?:com|net|org|biz|info|co\.uk)$/, { name: "UltraDNS", format: "octodns" }],
  [/(?:^|\.)digitalocean\.com$/, { name: "DigitalOcean", format: "octodns" }],
  [/(?:^|\.)dnsimple(?:-edge)?\.(?:com|net|org|io)$/, { name: "DNSimple", format: "octodns" }],
  [/\.gandi\.net$/, { name: "Gandi", format: "bind" }],
  [/\.domaincontrol\.com$/, { name: "GoDaddy", format: "bind" }],
  [/\.ns\.hetzner\.(?:com|de)$/, { name: "Hetzner", format: "bind" }],
  [/\.ovh\.net$|\.anycast\.me$/, { name: "OVH", format: "bind" }],
  [/\.registrar-servers\.com$/, { name: "Namecheap", format: "dnscontrol" }],
];

/**
 * Returns the DNS host of a zone; undefined for an unknown host, and for a zone with several hosts.
 *
 * @param nameServers names without trailing dots
 */
export function dnsHostOf(nameServers: readonly string[]): DnsHost | undefined {
  const found = new Set(
    nameServers.map((server) => hosts.find(([pattern]) => pattern.test(server.toLowerCase()))?.[1]),
  );
  const [host] = found;
  return found.size === 1 ? host : undefined;
}
