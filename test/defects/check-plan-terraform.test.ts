import { testFixtures } from "./check-plan-reported";
import { stackRows } from "./check-plan-stacks";

/** Plans that real Terraform made of the stacks of this folder. */
testFixtures(stackRows.map(({ title, fixture, reported }) => [title, fixture, ...reported]));

/** Plans that real Terraform made of stacks by other people, with what is reported of each. */
testFixtures([
  [
    "finds a live entry behind a gate whose trigger is a constant local value",
    "gate-constant-local",
    "repointed-to-inactive a.example.com",
  ],
  [
    "finds a switch to an entry behind a gate whose trigger is a constant local value",
    "switch-gate-constant-local",
    "map-switched-early a.example.com",
  ],
  [
    "finds a live entry behind a gate for another instance of the same certificate resource",
    "gate-other-key",
    "repointed-to-inactive b.example.com",
  ],
  [
    "finds a switch to an entry behind a gate for another instance of the same certificate resource",
    "switch-gate-other-key",
    "map-switched-early a.example.com",
  ],
  ["accepts entries behind the gates of their own certificates under 'for_each'", "gates-by-key"],
  ["accepts a gate that an entry waits for through a local value", "gate-through-local"],
  [
    "finds a new proxy whose local value is a constant, where another resource depends on the entries",
    "order-foreign-local",
    "map-switched-early a.example.com,b.example.com,c.example.com",
  ],
  [
    "finds a new proxy whose local value is a constant, where an output depends on the entries",
    "order-foreign-output",
    "map-switched-early a.example.com,b.example.com,c.example.com",
  ],
  [
    "finds a proxy that depended on entries in the last apply alone",
    "order-stale-state",
    "map-switched-early a.example.com,b.example.com",
  ],
  ["accepts a proxy that waits for its entries through a local value", "switch-order-through-local"],
  [
    "finds a managed certificate behind a local value in a plan without refresh",
    "repoint-without-refresh",
    "repointed-to-inactive a.example.com",
  ],
  [
    "finds a certificate that is not issued behind a gate that does not wait for it",
    "foreign-gate-provisioning",
    "repointed-to-inactive a.example.com",
  ],
  ["accepts a certificate with a waiting provisioner of its own", "gate-on-certificate"],
  ["finds a new certificate whose id is made of its name", "id-from-name", "repointed-to-inactive a.example.com"],
  [
    "finds a new certificate for another hostname whose id is made of its name",
    "id-from-name-foreign",
    "entry-certificate-mismatch a.example.com",
  ],
  [
    "finds a switch to an entry whose new certificate has an id made of its name",
    "switch-id-from-name",
    "map-switched-early a.example.com",
  ],
  [
    "finds a switch to an entry whose new certificate for another hostname has an id made of its name",
    "switch-id-from-name-foreign",
    "entry-certificate-mismatch a.example.com",
    "map-switched-incomplete a.example.com",
  ],
  ["finds a new certificate whose id is a constant text", "id-literal", "repointed-to-inactive a.example.com"],
  [
    "finds a new certificate for another hostname whose id is a constant text",
    "id-literal-foreign",
    "entry-certificate-mismatch a.example.com",
  ],
  [
    "finds certificates under 'count' that entries name by the wrong number",
    "crossed-numbers",
    "entry-certificate-mismatch a.example.com",
    "entry-certificate-mismatch b.example.com",
  ],
  [
    "finds certificates that a variable assigns to the wrong hostnames",
    "crossed-variable",
    "entry-certificate-mismatch a.example.com",
    "entry-certificate-mismatch b.example.com",
  ],
  ["accepts certificates that a module assigns to the right hostnames", "straight-in-module"],
  [
    "warns of certificates that a local value assigns to hostnames by 'for_each'",
    "crossed-local-for-each",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of certificates whose keys come from a local value",
    "crossed-local-keys",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of certificates that come from a local map",
    "local-map-other-key",
    "repointed-to-unknown a.example.com",
    "repointed-to-unknown b.example.com",
  ],
  [
    "warns of a condition that chooses between two certificates",
    "conditional-foreign",
    "repointed-to-unknown a.example.com",
  ],
  ["accepts an unissued certificate for an entry of a map that no proxy has", "entry-of-idle-map"],
  ["accepts a new hostname below a wildcard entry whose certificate is not for it", "wildcard-not-covering"],
  [
    "finds a second record at Cloudflare that leads to an unknown address",
    "split-second-record",
    "traffic-split a.example.com",
  ],
  [
    "finds a record at Cloudflare that moves while a second one leads to an unknown address",
    "split-moved-and-new",
    "traffic-split a.example.com",
    "traffic-moves a.example.com",
  ],
  [
    "finds two records at Cloudflare of which one moves to an unknown address",
    "split-both-moved",
    "traffic-split a.example.com",
    "traffic-moves a.example.com",
  ],
  [
    "finds a record at Cloudflare that moves to an unknown address beside one of the load balancer",
    "split-other-moved",
    "traffic-split a.example.com",
  ],
  [
    "finds a regional proxy's hostname once, where two certificates are for it",
    "regional-name-twice",
    "certificate-detached pay.example.com",
  ],
  [
    "finds a regional proxy's hostname once, where two unissued certificates are for it",
    "regional-rotated-name-twice",
    "repointed-to-inactive orders.example.com",
  ],
]);
