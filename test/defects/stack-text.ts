import { makeCertificate } from "../support/make-certificate";

/** Certificates that stacks upload, and what each is for. */
const pemNames = {
  abc: ["a.example.com", "b.example.com", "c.example.com"],
  a: ["a.example.com"],
  b: ["b.example.com"],
  net: ["other.example.net"],
} as const;

/** Files with certificates and keys, as stacks read them. */
export function pemFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(pemNames).flatMap(([name, names]) => {
      const { certificatePem, privateKeyPem } = makeCertificate(names);
      return [
        [`${name}.pem`, certificatePem],
        [`${name}.key`, privateKeyPem],
      ];
    }),
  );
}

export const cm = "google_certificate_manager";

/** Block of a resource. */
export const block = (type: string, label: string, ...lines: readonly string[]) =>
  `resource "${type}" "${label}" {\n  ${lines.join("\n  ")}\n}\n`;

const head = `
terraform {
  required_providers {
    google = { source = "hashicorp/google" }
  }
}
provider "google" {
  project = "p1"
}
`;

const createFirst = "lifecycle { \n create_before_destroy = true \n }";
const upload = (pem: string) => [
  "self_managed {",
  `  pem_certificate = file("\${path.root}/${pem}.pem")`,
  `  pem_private_key = file("\${path.root}/${pem}.key")`,
  "}",
];
export const uploaded = (label: string, pem: keyof typeof pemNames, ...lines: readonly string[]) =>
  block(`${cm}_certificate`, label, `name = "${label}"`, ...upload(pem), createFirst, ...lines);
export const managed = (label: string, domain: string, ...lines: readonly string[]) =>
  block(
    `${cm}_certificate`,
    label,
    `name = "${label}"`,
    "managed {",
    `  domains            = ["${domain}"]`,
    `  dns_authorizations = [${cm}_dns_authorization.com.id]`,
    "}",
    createFirst,
    ...lines,
  );
export const map = (label: string, ...lines: readonly string[]) =>
  block(`${cm}_certificate_map`, label, `name = "${label}"`, ...lines);
export const entry = (label: string, of: string, hostname: string, certificates: string, ...lines: readonly string[]) =>
  block(
    `${cm}_certificate_map_entry`,
    label,
    `name         = "${of}-${label}"`,
    `map          = ${cm}_certificate_map.${of}.name`,
    hostname === "PRIMARY" ? 'matcher = "PRIMARY"' : `hostname     = "${hostname}"`,
    `certificates = [${certificates}]`,
    ...lines,
  );
export const id = (label: string) => `${cm}_certificate.${label}.id`;
export const gate = (label: string, trigger: string, ...lines: readonly string[]) =>
  block(
    "terraform_data",
    label,
    `triggers_replace = ${trigger}`,
    'provisioner "local-exec" {',
    '  command = "true"',
    "}",
    ...lines,
  );
export const proxy = (label: string, of: string, ...lines: readonly string[]) =>
  block(
    "google_compute_target_https_proxy",
    label,
    `name            = "${label}"`,
    'url_map         = "projects/p1/global/urlMaps/u"',
    `certificate_map = "//certificatemanager.googleapis.com/${of}"`,
    ...lines,
  );
export const rule = (label: string, address: string, to: string) =>
  block(
    "google_compute_global_forwarding_rule",
    label,
    `name                  = "${label}"`,
    `ip_address            = ${address}`,
    'ip_protocol           = "TCP"',
    'port_range            = "443"',
    'load_balancing_scheme = "EXTERNAL_MANAGED"',
    `target                = google_compute_target_https_proxy.${to}.id`,
  );
const liveId = `\${${cm}_certificate_map.live.id}`;
export const nextId = `\${${cm}_certificate_map.next.id}`;
const authorization = block(`${cm}_dns_authorization`, "com", 'name = "com"', 'domain = "a.example.com"');

/** What is there in each stack: a map, a proxy and its address. */
export const front = (of = liveId, ...lines: readonly string[]) =>
  [
    head,
    authorization,
    uploaded("live", "abc"),
    map("live"),
    proxy("web", of, ...lines),
    rule("web", '"203.0.113.7"', "web"),
  ].join("");
export const two = entry("a", "live", "a.example.com", id("live")) + entry("b", "live", "b.example.com", id("live"));
const all = two + entry("c", "live", "c.example.com", id("live"));
export const live = front() + all;

/** Entries of the next map, of one resource. */
export const nextEntries = (hosts: readonly string[], ...lines: readonly string[]) =>
  block(
    `${cm}_certificate_map_entry`,
    "next",
    `for_each     = toset(${JSON.stringify(hosts)})`,
    'name         = "next-${replace(each.key, ".", "-")}"',
    `map          = ${cm}_certificate_map.next.name`,
    "hostname     = each.key",
    `certificates = [${id("live")}]`,
    ...lines,
  );
export const hosts = ["a.example.com", "b.example.com", "c.example.com"];
export const switched = (of: string, depends: string, ...more: readonly string[]) =>
  [front(of, depends === "" ? "" : `depends_on = [${depends}]`), all, map("next"), ...more].join("");

/** Entries by position or by key. */
export const listedEntries = (style: "count" | "for_each", names: readonly string[]) =>
  block(
    `${cm}_certificate_map_entry`,
    "site",
    style === "count" ? `count = ${names.length}` : `for_each = toset(${JSON.stringify(names)})`,
    `name         = ${style === "count" ? '"site-${count.index}"' : 'replace(each.key, ".", "-")'}`,
    `map          = ${cm}_certificate_map.live.name`,
    `hostname     = ${style === "count" ? `${JSON.stringify(names)}[count.index]` : "each.key"}`,
    `certificates = [${id("live")}]`,
  );

/** Entries whose certificate is a value of `for_each`. */
export const keyedEntries = (forEach: string, certificate: string) =>
  block(
    `${cm}_certificate_map_entry`,
    "site",
    `for_each     = ${forEach}`,
    'name         = replace(each.key, ".", "-")',
    `map          = ${cm}_certificate_map.live.name`,
    "hostname     = each.key",
    `certificates = [${certificate}]`,
  );
export const pair = uploaded("ua", "a") + uploaded("ub", "b");
const keyedCertificates = (generation: string) =>
  block(
    `${cm}_certificate`,
    "site",
    'for_each = { a = "a", b = "b" }',
    `name = "${generation}-\${each.key}"`,
    "self_managed {",
    '  pem_certificate = file("${path.root}/${each.value}.pem")',
    '  pem_private_key = file("${path.root}/${each.value}.key")',
    "}",
    createFirst,
  );
export const crossed = (generation: string, a: string, b: string) =>
  front() +
  keyedCertificates(generation) +
  keyedEntries(
    `{ "a.example.com" = { key = "${a}" }, "b.example.com" = { key = "${b}" } }`,
    `${cm}_certificate.site[each.value.key].id`,
  );

export const regional = (...certificates: readonly string[]) =>
  [
    head,
    block(`${cm}_certificate`, "live", 'name = "live"', 'location = "europe-west1"', ...upload("abc")),
    block(`${cm}_dns_authorization`, "com", 'name = "com"', 'domain = "a.example.com"', 'location = "europe-west1"'),
    managed("more", "a.example.com", 'location = "europe-west1"'),
    block(
      "google_compute_region_target_https_proxy",
      "web",
      'name    = "web"',
      'region  = "europe-west1"',
      'url_map = "projects/p1/regions/europe-west1/urlMaps/u"',
      `certificate_manager_certificates = [${certificates.map((one) => `"//certificatemanager.googleapis.com/\${${id(one)}}"`).join(", ")}]`,
    ),
  ].join("");

export const zone = block("google_dns_managed_zone", "com", 'name = "com"', 'dns_name = "example.com."');
export const recordSet = (label: string, name: string, type: string, ...data: readonly string[]) =>
  block(
    "google_dns_record_set",
    label,
    `name         = "${name}"`,
    `type         = "${type}"`,
    "ttl          = 300",
    "managed_zone = google_dns_managed_zone.com.name",
    `rrdatas      = [${data.join(", ")}]`,
  );
export const withRecord = (...records: readonly string[]) => [live, zone, ...records].join("");

export const primary = (pem: keyof typeof pemNames) =>
  front() + uploaded("first", pem) + entry("primary", "live", "PRIMARY", id("first"));

const site = (depends: string) => ({
  "site/main.tf": `
    variable "certificate" {}
    module "inner" {
      source      = "../inner"
      certificate = var.certificate
    }
    output "map" {
      value = module.inner.map
      ${depends}
    }
  `,
  "inner/main.tf": `
    variable "certificate" {}
    ${map("next")}
    ${["a", "b", "c"].map((host) => entry(host, "next", `${host}.example.com`, "var.certificate")).join("")}
    output "map" {
      value = ${cm}_certificate_map.next.id
    }
  `,
});
export const inModule = (depends: string) => ({
  "main.tf": `${front("${module.site.map}")}${all}
    module "site" {
      source      = "./site"
      certificate = ${id("live")}
    }
  `,
  ...site(depends),
});
