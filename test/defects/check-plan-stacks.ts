import {
  block,
  cm,
  crossed,
  entry,
  front,
  gate,
  hosts,
  id,
  inModule,
  keyedEntries,
  listedEntries,
  live,
  managed,
  map,
  nextEntries,
  nextId,
  pair,
  primary,
  proxy,
  recordSet,
  regional,
  rule,
  switched,
  two,
  uploaded,
  withRecord,
  zone,
} from "./stack-text";

type Files = Readonly<Record<string, string>>;

/** The applied stack, the stack that is planned next, and the reported dangers (code and hostnames). */
export interface StackRow {
  readonly title: string;
  readonly fixture: string;
  readonly before: string | Files;
  readonly after: string | Files;
  readonly reported: readonly string[];
}

const row = (
  title: string,
  fixture: string,
  before: string | Files,
  after: string | Files,
  ...reported: readonly string[]
): StackRow => ({ title, fixture, before, after, reported });

const everyHost = hosts.join();
const entriesOf = `${cm}_certificate_map_entry`;

/** Plans of real Terraform. `check-plan.robustness.ts` creates each plan again. */
export const stackRows: readonly StackRow[] = [
  row(
    "finds a proxy that gets a new map without waiting for its entries under 'for_each'",
    "switch-for-each-unordered",
    live,
    switched(nextId, "", nextEntries(hosts)),
    `map-switched-early ${everyHost}`,
  ),
  row(
    "finds a proxy that waits for one of two resources with entries of its new map",
    "switch-half-ordered",
    live,
    switched(
      nextId,
      `${entriesOf}.next`,
      nextEntries(hosts.slice(0, 2)),
      entry("late", "next", "c.example.com", id("live")),
    ),
    "map-switched-early c.example.com",
  ),
  row(
    "accepts a proxy that gets a new map after all of its entries under 'for_each'",
    "switch-for-each-ordered",
    live,
    switched(nextId, `${entriesOf}.next`, nextEntries(hosts)),
  ),
  row(
    "accepts a proxy whose new map comes from its entries through a local value",
    "switch-through-local",
    live,
    switched(
      "projects/p1/locations/global/certificateMaps/${local.ready[0]}",
      "",
      nextEntries(hosts),
      `locals {\n  ready = [for one in ${entriesOf}.next : one.map]\n}\n`,
    ),
  ),
  row(
    "finds a proxy whose new map comes from the map alone through a local value",
    "switch-through-local-unordered",
    live,
    switched(
      "projects/p1/locations/global/certificateMaps/${local.ready}",
      "",
      nextEntries(hosts),
      `locals {\n  ready = ${cm}_certificate_map.next.name\n}\n`,
    ),
    `map-switched-early ${everyHost}`,
  ),
  row(
    "finds a proxy that gets the map of a module in a module without waiting for the entries there",
    "switch-nested-module-unordered",
    live,
    inModule(""),
    `map-switched-early ${everyHost}`,
  ),
  row(
    "accepts a proxy that gets a map from an output which depends on the whole module with the entries",
    "switch-nested-module-ordered",
    live,
    inModule("depends_on = [module.inner]"),
  ),
  row(
    "finds entries of a new map that wait for a gate of another certificate",
    "switch-foreign-gate",
    live,
    switched(
      nextId,
      `${entriesOf}.n`,
      managed("new", "a.example.com"),
      managed("foreign", "a.example.com"),
      gate("foreign", id("foreign")),
      entry("n", "next", "a.example.com", id("new"), "depends_on = [terraform_data.foreign]"),
      nextEntries(hosts.slice(1)),
    ).replace(`depends_on = [${entriesOf}.n]`, `depends_on = [${entriesOf}.n, ${entriesOf}.next]`),
    "map-switched-early a.example.com",
  ),
  row(
    "accepts entries of a new map behind the gates of their certificates, and a proxy that waits for the entries",
    "switch-gated",
    live,
    switched(
      nextId,
      `${entriesOf}.n, ${entriesOf}.next`,
      managed("new", "a.example.com"),
      gate("new", id("new")),
      entry("n", "next", "a.example.com", id("new"), "depends_on = [terraform_data.new]"),
      nextEntries(hosts.slice(1)),
    ),
  ),
  row(
    "finds an address whose rule gets a new proxy which does not wait for the entries of its map",
    "rule-to-unordered-proxy",
    live,
    live.replace(
      "target                = google_compute_target_https_proxy.web.id",
      "target                = google_compute_target_https_proxy.new.id",
    ) +
      map("next") +
      nextEntries(hosts) +
      proxy("new", nextId),
    `map-switched-early ${everyHost}`,
  ),
  row(
    "accepts an address whose rule gets a new proxy which waits for the entries of its map",
    "rule-to-ordered-proxy",
    live,
    live.replace(
      "target                = google_compute_target_https_proxy.web.id",
      "target                = google_compute_target_https_proxy.new.id",
    ) +
      map("next") +
      nextEntries(hosts) +
      proxy("new", nextId, `depends_on = [${entriesOf}.next]`),
  ),
  row(
    "finds a live entry that gets a new certificate for another hostname",
    "repoint-foreign",
    live,
    front() + uploaded("net", "net") + two + entry("c", "live", "c.example.com", id("net")),
    "entry-certificate-mismatch c.example.com",
  ),
  row(
    "finds a live entry that gets a new certificate for another hostname through 'terraform_data'",
    "repoint-foreign-handed-on",
    live,
    front() +
      uploaded("net", "net") +
      block("terraform_data", "ids", `input = ${id("net")}`) +
      two +
      entry("c", "live", "c.example.com", "terraform_data.ids.output"),
    "entry-certificate-mismatch c.example.com",
  ),
  row(
    "finds two entries under 'for_each' that swap the keys of their new certificates",
    "repoint-crossed-keys",
    crossed("one", "a", "b"),
    crossed("two", "b", "a"),
    "entry-certificate-mismatch a.example.com",
    "entry-certificate-mismatch b.example.com",
  ),
  row(
    "accepts two entries under 'for_each' that keep the keys of their new certificates",
    "repoint-straight-keys",
    crossed("one", "a", "b"),
    crossed("two", "a", "b"),
  ),
  row(
    "finds an entry that gets through a local value what no new certificate is for",
    "repoint-foreign-local",
    live,
    `${front()}${uploaded("net", "net")}${two}${entry("c", "live", "c.example.com", "local.chosen")}locals {\n  chosen = ${id("net")}\n}\n`,
    "entry-certificate-mismatch c.example.com",
  ),
  row(
    "accepts an uploaded certificate that arrives through a local value",
    "repoint-uploaded-local",
    live,
    `${front()}${uploaded("again", "abc")}${two}${entry("c", "live", "c.example.com", "local.chosen")}locals {\n  chosen = ${id("again")}\n}\n`,
  ),
  row(
    "accepts uploaded certificates that arrive through 'each.value'",
    "repoint-uploaded-each-value",
    front() + pair + keyedEntries(`{ "a.example.com" = ${id("live")}, "b.example.com" = ${id("live")} }`, "each.value"),
    front() +
      pair.replaceAll('name = "u', 'name = "v') +
      keyedEntries(`{ "a.example.com" = ${id("ua")}, "b.example.com" = ${id("ub")} }`, "each.value"),
    // The plan would look the same if the two certificates were exchanged.
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ),
  row(
    "finds a managed certificate that arrives through a local value before it is issued",
    "repoint-managed-local",
    live,
    `${front()}${managed("slow", "a.example.com")}${entry("a", "live", "a.example.com", "local.chosen")}${entry("b", "live", "b.example.com", id("live"))}${entry("c", "live", "c.example.com", id("live"))}locals {\n  chosen = ${id("slow")}\n}\n`,
    "repointed-to-inactive a.example.com",
  ),
  row(
    "finds what an index shift under 'count' takes from the hostname that stays",
    "count-shift",
    front() + listedEntries("count", hosts),
    front() + listedEntries("count", ["a.example.com", "c.example.com"]),
    "entry-deleted b.example.com",
    "entry-replaced c.example.com",
  ),
  row(
    "finds that a hostname put first under 'count' moves all others",
    "count-insert",
    front() + listedEntries("count", hosts.slice(1)),
    front() + listedEntries("count", hosts),
    "entry-replaced b.example.com",
    "entry-replaced c.example.com",
  ),
  row(
    "finds under 'for_each' the removed hostname alone",
    "for-each-removal",
    front() + listedEntries("for_each", hosts),
    front() + listedEntries("for_each", ["a.example.com", "c.example.com"]),
    "entry-deleted b.example.com",
  ),
  row(
    "accepts entries that are moved from 'count' to 'for_each'",
    "count-moved",
    front() + listedEntries("count", hosts),
    `${front()}${listedEntries("for_each", hosts).replace('replace(each.key, ".", "-")', '"site-${index(local.hosts, each.key)}"')}
locals {
  hosts = ${JSON.stringify(hosts)}
}
${hosts.map((host, index) => `moved {\n  from = ${entriesOf}.site[${index}]\n  to   = ${entriesOf}.site["${host}"]\n}\n`).join("")}`,
  ),
  row(
    "finds a rename of an entry's resource without 'moved'",
    "renamed-entry",
    live,
    front() + two + entry("gamma", "live", "c.example.com", id("live")),
    "entry-replaced c.example.com",
  ),
  row(
    "accepts another certificate on a regional proxy that keeps the one that serves",
    "regional-added",
    regional("live"),
    regional("live", "extra") + managed("extra", "a.example.com", 'location = "europe-west1"'),
  ),
  row(
    "finds a regional proxy that gets an unissued certificate in place of the one that serves",
    "regional-replaced",
    regional("live"),
    regional("extra") + managed("extra", "a.example.com", 'location = "europe-west1"'),
    "certificate-detached b.example.com,c.example.com",
    `repointed-to-inactive ${everyHost}`,
  ),
  row(
    "accepts a whole new environment with its traffic",
    "new-environment",
    live + zone,
    [
      live,
      zone,
      block(`${cm}_dns_authorization`, "stage", 'name = "stage"', 'domain = "stage.example.org"'),
      managed("stage", "stage.example.org").replace("dns_authorization.com", "dns_authorization.stage"),
      map("stage"),
      entry("stage", "stage", "stage.example.org", id("stage")),
      proxy("stage", `\${${cm}_certificate_map.stage.id}`),
      block("google_compute_global_address", "stage", 'name = "stage"'),
      rule("stage", "google_compute_global_address.stage.address", "stage"),
      block("google_dns_managed_zone", "org", 'name = "org"', 'dns_name = "example.org."'),
      recordSet("stage", "stage.example.org.", "A", "google_compute_global_address.stage.address").replace(
        "managed_zone.com",
        "managed_zone.org",
      ),
    ].join(""),
    "traffic-appears stage.example.org",
  ),
  row(
    "accepts a new hostname that no certificate of PRIMARY is for",
    "primary-not-covering",
    primary("a"),
    primary("a") +
      managed("slow", "a.example.com") +
      entry("new", "live", "b.example.com", id("live")) +
      entry("x", "live", "x.a.example.com", id("wide")) +
      managed("wide", "*.a.example.com"),
  ),
  row(
    "finds a new hostname that PRIMARY serves today before its certificate is issued",
    "primary-covering",
    primary("abc"),
    primary("abc") + managed("slow", "a.example.com") + entry("new", "live", "a.example.com", id("slow")),
    "repointed-to-inactive a.example.com",
  ),
  row(
    "finds hostnames that PRIMARY alone serves and whose certificate goes",
    "primary-narrowed",
    primary("abc"),
    primary("b").replaceAll('"first"', '"second"').replace(id("first"), id("second")),
    "entry-certificate-mismatch a.example.com,c.example.com",
  ),
  row(
    "finds a CAA record that forbids the CA of a managed certificate",
    "caa-forbidding",
    withRecord(managed("slow", "a.example.com")),
    withRecord(
      managed("slow", "a.example.com"),
      recordSet("caa", "example.com.", "CAA", '"0 issue \\"letsencrypt.org\\""'),
    ),
    "caa-forbids-issuance a.example.com",
  ),
  row(
    "accepts a CAA record that names the CA of a managed certificate among others",
    "caa-allowing",
    withRecord(managed("slow", "a.example.com")),
    withRecord(
      managed("slow", "a.example.com"),
      recordSet("caa", "example.com.", "CAA", '"0 issue \\"letsencrypt.org\\""', '"0 issue \\"pki.goog\\""'),
    ),
  ),
  row(
    "finds an address set that becomes partly the load balancer and partly an unknown address",
    "split-known",
    withRecord(recordSet("a", "a.example.com.", "A", '"198.51.100.1"')),
    withRecord(recordSet("a", "a.example.com.", "A", '"203.0.113.7"', '"192.0.2.66"')),
    "traffic-split a.example.com",
  ),
  row(
    "finds an address set that leads to the load balancer and to an address that is reserved for something else",
    "split-open",
    withRecord(recordSet("a", "a.example.com.", "A", '"198.51.100.1"')),
    withRecord(
      block("google_compute_global_address", "vm", 'name = "vm"'),
      recordSet("a", "a.example.com.", "A", '"203.0.113.7"', "google_compute_global_address.vm.address"),
    ),
    "traffic-split a.example.com",
  ),
  row(
    "accepts an address set that keeps the previous address beside the load balancer",
    "split-previous",
    withRecord(recordSet("a", "a.example.com.", "A", '"198.51.100.1"')),
    withRecord(recordSet("a", "a.example.com.", "A", '"198.51.100.1"', '"203.0.113.7"')),
    "traffic-moves a.example.com",
  ),
];
