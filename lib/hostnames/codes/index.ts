import { type CodeTable, error } from "../../findings/codes";

/** Codes for values that are not valid hostnames, in any input. */
export const hostnameErrors = {
  "hostname-empty": error(
    "A hostname is empty",
    "write the name that clients connect to, for example shop.example.com",
  ),
  "hostname-is-reference": error(
    "A hostname is a reference, but the plan needs its value before Terraform runs",
    "write the hostname itself",
  ),
  "hostname-control-character": error("A hostname contains a control character", "remove it"),
  "hostname-has-scheme": error("A hostname is a URL", "use only the hostname, without scheme and path"),
  "hostname-has-path": error(
    "A hostname has a path or a query",
    "write only the hostname: paths belong to the URL map",
  ),
  "hostname-has-user-info": error("A hostname has a user or mailbox before '@'", "write only the hostname"),
  "hostname-has-port": error("A hostname has a port", "write only the hostname: a certificate is valid for every port"),
  "hostname-is-ip-address": error(
    "A hostname is an IP address, and certificates are for DNS names only",
    "write the name that clients connect to",
  ),
  "hostname-empty-label": error(
    "A label of a hostname is empty, or nothing follows '*.'",
    "remove the extra dot, or add the missing label",
  ),
  "hostname-bad-wildcard": error(
    "A hostname has a '*' that is not its whole first label",
    "write '*.' before a domain, or write the hostnames themselves",
  ),
  "hostname-bad-character": error(
    "A hostname contains a character that hostnames can't contain",
    "use letters, digits, '-' and dots",
  ),
  "hostname-underscore": error(
    "A hostname contains '_', which public CAs don't accept",
    "rename the host, or serve it by a wildcard",
  ),
  "hostname-hyphen-at-edge": error("A label of a hostname begins or ends with '-'", "correct the hostname"),
  "hostname-label-too-long": error("A label of a hostname has more than 63 characters", "use a shorter hostname"),
  "hostname-too-long": error("A hostname has more than 253 characters", "use a shorter hostname"),
  "hostname-bad-idn": error(
    "A hostname can't be converted to ASCII by the rules of internationalized domain names",
    "write the registered name, or its ASCII form that begins with xn--",
  ),
  "hostname-numeric-tld": error("The last label of a hostname is a number", "write the complete hostname"),
  "hostname-single-label": error(
    "A hostname has only one label",
    "write the complete hostname, for example shop.example.com",
  ),
  "hostname-not-public": error(
    "A hostname is in a domain for which no public CA issues certificates, such as .internal or .test",
    "use a name in a domain that you registered, or a private CA",
  ),
  "hostname-is-public-suffix": error(
    "A hostname is a public suffix, below which anyone can register domains",
    "use a domain that you registered below it",
  ),
  "hostname-wildcard-over-public-suffix": error(
    "A wildcard directly below a public suffix would cover domains of other owners",
    "use a wildcard below a domain that you registered",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof hostnameErrors, true> {}
}
