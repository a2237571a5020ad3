import { type CodeTable, error } from "../../findings/codes";

/** Codes for values that are not valid hostnames, in any input. */
export const hostnameErrors = {
  "hostname-empty": error("A hostname is empty", "write the name that clients connect to, as in shop.example.com"),
  "hostname-is-reference": error(
    "A hostname is a reference, and it must be known before Terraform runs",
    "write the name itself",
  ),
  "hostname-control-character": error("A hostname contains a control character", "remove it"),
  "hostname-has-scheme": error("A hostname is a URL", "use only the hostname, without scheme and path"),
  "hostname-has-path": error("A hostname has a path or a query", "write the name alone: paths belong to the URL map"),
  "hostname-has-user-info": error("A hostname has a user or mailbox before '@'", "write the name alone"),
  "hostname-has-port": error("A hostname has a port", "write the name alone: a certificate is for every port of it"),
  "hostname-is-ip-address": error(
    "A hostname is an IP address, and certificates are for DNS names only",
    "give the name that clients connect to",
  ),
  "hostname-empty-label": error(
    "A label of a hostname is empty, or nothing follows '*.'",
    "remove the extra dot, or write what belongs there",
  ),
  "hostname-bad-wildcard": error(
    "A hostname has '*' elsewhere than alone in its first label",
    "write '*.' before a domain, or the names themselves",
  ),
  "hostname-bad-character": error(
    "A hostname contains a character that no hostname has",
    "use letters, digits, '-' and dots",
  ),
  "hostname-underscore": error(
    "A hostname contains '_', which public CAs don't accept",
    "rename the host, or serve it by a wildcard",
  ),
  "hostname-hyphen-at-edge": error("A label of a hostname begins or ends with '-'", "look the name up once more"),
  "hostname-label-too-long": error("A label of a hostname has more than 63 characters", "use a shorter one"),
  "hostname-too-long": error("A hostname has more than 253 characters", "use a shorter one"),
  "hostname-bad-idn": error(
    "A hostname can't be turned into ASCII by the rules of internationalized names",
    "write it as it is registered, or in its form that begins with xn--",
  ),
  "hostname-numeric-tld": error("The last label of a hostname is a number", "give the whole name"),
  "hostname-single-label": error("A hostname has one label alone", "give the whole name, as in shop.example.com"),
  "hostname-not-public": error(
    "A hostname is in a domain for which no public CA issues certificates, such as .internal or .test",
    "use a name in a domain that you registered, or a private CA",
  ),
  "hostname-is-public-suffix": error(
    "A hostname is a public suffix, under which others register names",
    "give a name below it that is yours",
  ),
  "hostname-wildcard-over-public-suffix": error(
    "A wildcard stands right under a public suffix: it would cover names of others",
    "put the wildcard under a domain of yours",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof hostnameErrors, true> {}
}
