/** What a value of a migration is, by the place of its field: a meaning for the user, and the rule of its variable. */

/** A condition that Terraform checks for a variable, before it plans anything. */
export interface InputRule {
  /** Expression for a value, which stands as `VALUE` in it. */
  readonly condition: string;
  /** What the variable must be, for the message: `must be …`. */
  readonly must: string;
  /** A value that passes, for the tests of the module. */
  readonly example: string;
}

/** A role that a value has in a migration. */
export interface InputRole {
  /** Meaning of the value, as a sentence without a period. */
  readonly meaning: string;
  readonly rule: InputRule;
  /** Whether no plan may show the value. @default false */
  readonly isSecret?: boolean;
}

/** The rule of a private key. It has no words by which scanners find keys. */
export const keyRule: InputRule = {
  condition: 'startswith(trimspace(VALUE), "-----BEGIN ")',
  must: "be an unencrypted private key in PEM",
  example: "-----BEGIN EXAMPLE-----",
};

const matches = (pattern: string) => `can(regex("${pattern}", VALUE))`;

const rules = {
  project: {
    condition: matches("^([a-z][a-z0-9-]{4,28}[a-z0-9]|[a-z0-9.-]+:[a-z][a-z0-9-]*|[0-9]{1,20})$"),
    must: "be the id of a project, for example my-project",
    example: "example",
  },
  zone: {
    condition: matches("^([^/]+/)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$"),
    must: "be the resource name of a managed zone, for example example-com, not its domain",
    example: "example",
  },
  label: {
    condition: matches("^[a-z0-9_-]{0,63}$"),
    must: "have at most 63 lower-case letters, digits, _ and -",
    example: "example",
  },
  prefix: {
    condition: matches("^[a-z][a-z0-9-]{0,19}$"),
    must: "have 1 to 20 lower-case letters, digits and -, a letter first",
    example: "example",
  },
  prefixPart: {
    condition: matches("^[a-z0-9-]{0,20}$"),
    must: "have at most 20 lower-case letters, digits and -",
    example: "example",
  },
  ipv4: { condition: 'can(cidrnetmask("${VALUE}/32"))', must: "be an IPv4 address", example: "192.0.2.1" },
  ipv6: {
    condition: 'can(cidrhost("${VALUE}/128", 0)) && strcontains(VALUE, ":")',
    must: "be an IPv6 address",
    example: "2001:db8::1",
  },
  address: { condition: 'can(cidrhost("${VALUE}/32", 0))', must: "be an IP address", example: "192.0.2.1" },
  domain: {
    condition: matches("^([A-Za-z0-9_-]+\\\\.)+[A-Za-z0-9-]+\\\\.?$"),
    must: "be a domain name",
    example: "origin.example.com",
  },
  certificate: {
    condition: 'startswith(trimspace(VALUE), "-----BEGIN CERTIFICATE-----")',
    must: "be a certificate in PEM, with its chain",
    example: "-----BEGIN CERTIFICATE-----",
  },
  text: { condition: "length(VALUE) > 0", must: "not be empty", example: "example" },
} as const satisfies Readonly<Record<string, InputRule>>;

type Role = readonly [place: RegExp, meaning: string, rule: keyof typeof rules];

/** Roles by the place of a field; the first that matches. `$1` is a part of the place, for example a domain. */
const roles: readonly Role[] = [
  [/^project$/, "Project of authorizations, certificates, map and entries", "project"],
  [/^dns\.project$/, "Project of the managed zones", "project"],
  [/^dns\.zones\["(.*)"\]\.project$/, "Project of the managed zone of $1", "project"],
  [/^certificates\[\d+\]\.project$/, "Project of certificates and their authorizations", "project"],
  [/^loadBalancer\.project$/, "Project of new proxies and forwarding rules", "project"],
  [/^loadBalancer\.adopt.*\.project$/, "Project of adopted target proxies", "project"],
  [/^dns\.zones\["(.*?)"\](?:\.name)?$/, "Managed zone of $1", "zone"],
  [/^namePrefix$/, "Prefix of the names of certificates, map and new target proxies", "prefix"],
  [/^(?:certificates\[\d+\]\.)?labels\["(.*)"\]$/, "Value of the label $1", "label"],
  [/^loadBalancer\.addresses\.ipv4\b/, "IPv4 address of the load balancer", "ipv4"],
  [/^loadBalancer\.addresses\.ipv6\b/, "IPv6 address of the load balancer", "ipv6"],
  [/^loadBalancer\.addresses\b/, "IP address of the load balancer", "address"],
  [/^loadBalancer\.servingProxies\[\d+\]\.addresses\b/, "IP address of a serving proxy", "address"],
  [/^traffic\.previous\["(.*)"\]\.a\[/, "IPv4 address of $1 before the migration", "ipv4"],
  [/^traffic\.previous\["(.*)"\]\.aaaa\[/, "IPv6 address of $1 before the migration", "ipv6"],
  [/^traffic\.previous\["(.*)"\]\.cname$/, "Target of the CNAME record of $1 before the migration", "domain"],
  [/\.urlMap$/, "URL map of a target proxy", "text"],
  [/\.backendService$/, "Backend service of a target proxy", "text"],
  [/\.sslPolicy$/, "SSL policy of a target proxy", "text"],
  [/\.serverTlsPolicy$/, "Server TLS policy of a target proxy", "text"],
  [/\.forwardingRules\.ipv4Address$/, "Reserved IPv4 address, its name or its id", "text"],
  [/\.forwardingRules\.ipv6Address$/, "Reserved IPv6 address, its name or its id", "text"],
  [/\.forwardingRules\.network$/, "VPC network of the forwarding rules", "text"],
  [/\.forwardingRules\.subnetwork$/, "Subnetwork of the forwarding rules", "text"],
  [/\.caPool$/, "CA pool that issues certificates", "text"],
  [/\.existingIssuanceConfig$/, "Issuance config of a private CA", "text"],
  [/^existingCertificateMap$/, "Id of the certificate map that gets the entries", "text"],
  [/\.certificatePem$/, "Certificate and chain in PEM, leaf first", "certificate"],
  [
    /\.clientAuthentication\.\w+\[\d+\]$/,
    "Certificate in PEM for the validation of client certificates",
    "certificate",
  ],
];

/**
 * Returns the role of a value.
 *
 * @param place place of the field, for example `dns.zones["example.com"]`
 * @param extent whether the variable is the whole text of the field, or a part of it beside other text, for which a
 * rule for the whole does not hold
 */
export function roleAt(place: string, extent: "whole" | "part"): InputRole {
  if (place.endsWith(".privateKeyPem")) {
    return { meaning: "Private key in PEM of an uploaded certificate", rule: keyRule, isSecret: true };
  }
  for (const [pattern, meaning, rule] of roles) {
    const found = pattern.exec(place);
    if (found === null) continue;
    return {
      meaning: meaning.replace("$1", () => found[1] ?? ""),
      rule: rules[extent === "whole" ? rule : partRuleOf(rule)],
    };
  }
  return { meaning: `Value of '${place}' in the migration`, rule: rules.text };
}

/** Returns the rule for a part of a text. */
function partRuleOf(rule: keyof typeof rules): keyof typeof rules {
  if (rule === "prefix") return "prefixPart";
  return rule === "label" ? "label" : "text";
}
