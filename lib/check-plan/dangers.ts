import { type CodeTable, error, warning } from "../findings/codes";
import { type Finding, findingsOf } from "../findings/finding";

/** What a plan is refused or warned for: what it would do, and what to do instead. Code and severity are contract; the words are for people. */
export const planDangers = {
  "plan-incomplete": error(
    "the plan is not whole: Terraform stopped with an error",
    "fix the error of 'terraform plan', and plan again: check-plan can't judge changes that are not planned",
  ),
  "plan-unknown-action": error(
    "Terraform means to do something that this version knows nothing of",
    "use a newer version of cert-migration, or check manually what Terraform does to the resource",
  ),
  "plan-partial": warning(
    "the plan is not all that the configuration asks for: Terraform was given -target, or puts something off",
    "plan without -target, and have every later plan judged as well",
  ),
  "entry-deleted": error(
    "a hostname that is served by the map loses its entry, and every handshake for it fails",
    "move the hostname's traffic away first; then detach the map, or delete the entry with traffic elsewhere",
  ),
  "entry-deleted-covered": warning(
    "a hostname loses its own entry, and is served by another entry from then on: of a wildcard, or PRIMARY",
    "check that the certificate of the other entry is the one that clients should get",
  ),
  "entry-replaced": error(
    "an entry is deleted and another one is created for its hostname; until that is active every handshake for the hostname fails",
    "keep the address, name, map and hostname of the entry: use 'for_each' with the hostname as its key, not 'count'; change only its certificates",
  ),
  "entry-certificate-mismatch": error(
    "an entry gets a certificate that is not for a hostname that the entry serves: clients refuse it",
    "name a certificate that is for the hostname, or for the wildcard above it",
  ),
  "entry-emptied": error(
    "an entry is left without any certificate, and every handshake that it serves fails",
    "name the successor in the same change that takes the old certificate away",
  ),
  "map-deleted": error(
    "a map is deleted that a target proxy presents",
    "attach another map with the same hostnames first, in an apply of its own",
  ),
  "map-detached": error(
    "a target proxy loses its map, and with it every certificate",
    "leave certificate_map as it is until traffic is elsewhere, or put another map with the same hostnames in its place",
  ),
  "map-switched-incomplete": error(
    "a target proxy gets another map, which has no entry for some of the hostnames that are served now",
    "add an entry for each hostname to the new map, wait for it, then switch",
  ),
  "map-switched-early": error(
    "a target proxy gets a map with an entry that can't serve yet, or that Terraform may create later: a map goes before what the proxy had",
    "let the proxy depend on every entry of the map ('depends_on'), and each entry on 'cert-migration wait' for its certificate; or attach the map in a later apply",
  ),
  "map-switched-to-unknown": warning(
    "a target proxy gets a map of which the plan knows nothing, and presents what its entries have",
    "see that the map has an ACTIVE entry for each hostname that the proxy serves now",
  ),
  "certificate-detached": error(
    "a target proxy loses a certificate that it has directly, and with it names that no other of its certificates is for",
    "put a certificate for the names into the list first; the proxy presents the one that fits",
  ),
  "certificate-detached-unknown": warning(
    "a target proxy loses a certificate that it has directly, and the plan can't tell whether others are for its names",
    "see that the certificates that the proxy keeps are for every name that is served",
  ),
  "proxy-deleted": error(
    "a target proxy is deleted: connections are refused",
    "move traffic away first; connections to the proxy are refused from then on",
  ),
  "proxy-replaced": error(
    "a target proxy is replaced: until the new proxy exists, connections are refused",
    "change only what can be changed in place, or set create_before_destroy and another name",
  ),
  "forwarding-rule-deleted": error(
    "nothing listens at an address of the load balancer any more",
    "keep the address: move traffic away first, or make another rule on another address beside it",
  ),
  "forwarding-rule-repointed": error(
    "an address of the load balancer is led to a target that has no certificate for what is served there",
    "give the new target proxy a map with ACTIVE entries for the same hostnames first, then lead the rule there",
  ),
  "forwarding-rule-repointed-to-unknown": warning(
    "an address of the load balancer is led to a target of which the plan knows nothing",
    "see that the new target proxy presents a certificate for each hostname: cert-migration verify",
  ),
  "address-deleted": error(
    "an address that is in use is given back, and may be given to somebody else while DNS still leads there",
    "let DNS lead elsewhere and its time to live pass first; set prevent_destroy on addresses",
  ),
  "authorization-record-deleted": error(
    "the CNAME of a DNS authorization goes, and certificates for the domain can't be issued or renewed any more",
    "leave the CNAME where it is: certificates are renewed by it for as long as they are in use",
  ),
  "authorization-deleted": error(
    "a DNS authorization goes that certificates are renewed by",
    "keep the authorization until no certificate for the domain is in use",
  ),
  "authorization-replaced": error(
    "a DNS authorization makes way for a new one, whose CNAME has other data: a certificate that stays was issued by the old one, and can't be renewed any more",
    "keep the authorization's name, domain, type and location, and set prevent_destroy; or replace the certificate in the same apply, with create_before_destroy",
  ),
  "caa-forbids-issuance": error(
    "CAA records forbid Google Trust Services to issue a managed certificate: it can't be issued, and one that serves can't be renewed",
    'add the record 0 issue "pki.goog" (for wildcards also 0 issuewild "pki.goog", if there are issuewild records) to the CAA records in the same change',
  ),
  "certificate-destroyed-early": error(
    "a certificate is destroyed while an entry or a proxy still presents it",
    "let the successor become ACTIVE and the entry be repointed first; never plan with -target",
  ),
  "certificate-replaced-destroy-first": error(
    "a certificate is destroyed before its successor is issued",
    "set create_before_destroy on the certificate, and let its name change with its domains",
  ),
  "uploaded-certificate-not-valid": error(
    "a certificate is uploaded that has expired, or is not valid yet: clients refuse it",
    "put a certificate into the configuration that is valid today, and plan again",
  ),
  "uploaded-certificate-expired": warning(
    "a certificate that was uploaded before and stays has expired: clients refuse it, whatever the plan does",
    "upload its successor, or let a managed certificate take its place; delete it where nothing presents it",
  ),
  "uploaded-certificate-expires-soon": warning(
    "an uploaded certificate ends within 30 days, and nobody renews it but you",
    "upload its successor before, or let a managed certificate take its place",
  ),
  "repointed-to-inactive": error(
    "an entry or a proxy gets a certificate that is not ACTIVE: handshakes fail until it is",
    "wait first: gate the change by 'cert-migration wait' or a precondition on the certificate's state",
  ),
  "repointed-to-unknown": warning(
    "an entry or a proxy gets a certificate of which the plan can't tell whether it is ACTIVE, or which one of several it is",
    "see that the certificate is ACTIVE and for the hostname: 'cert-migration wait --certificate' asks for it by its name; where it is one of several, refer to it by a constant key",
  ),
  "repointed-behind-condition": warning(
    "an entry or a proxy gets a certificate that is not ACTIVE, and what its condition asks the plan does not say",
    "see that it is a precondition on the certificate's state: a postcondition is judged when the change is done",
  ),
  "traffic-record-deleted": error(
    "a hostname that is served loses its last address, and resolves to nothing",
    "change the record's data in place, or leave it: without it the name resolves to nothing",
  ),
  "traffic-record-replaced": error(
    "the address records of a hostname are deleted and made anew: in between it resolves to nothing, and resolvers remember that",
    "change the data of the record set that there is; where the type has to change, point its CNAME elsewhere instead",
  ),
  "traffic-address-family-deleted": warning(
    "a hostname loses its addresses of one family and keeps those of the other",
    "see that clients of the other address family can do without",
  ),
  "traffic-before-verification": error(
    "traffic is moved to a load balancer that can't have been verified yet",
    "apply the load balancer's part first, run 'cert-migration verify', then move traffic in an apply of its own",
  ),
  "traffic-split": error(
    "an address set becomes partly the load balancer and partly an address that the plan knows nothing of: a part of the clients goes there",
    "compare the addresses of the record with the ones of the forwarding rules; if something else of yours serves the hostname there, allow it: --allow traffic-split=HOSTNAME",
  ),
  "traffic-appears": warning(
    "a hostname gets addresses of a kind that it has none of in this plan: clients begin to use them at once",
    "see that DNS has no such record by other hands, and that what listens there serves the name: run 'cert-migration verify' before the apply",
  ),
  "traffic-moves": warning(
    "traffic is moved: step 8",
    "run 'cert-migration verify' before the apply, and 'cert-migration watch' during it",
  ),
  "traffic-leaves": warning(
    "traffic is moved away from the load balancer, to an address that the plan does not know: a rollback, or a slip",
    "see that what listens there serves the name: 'cert-migration verify' asks it",
  ),
  "zone-deleted": error(
    "a DNS zone is deleted, and with it the records of hostnames that are served and of their authorizations",
    "keep the zone, or move its records to the zone that is delegated to from then on",
  ),
  "record-overwritten": warning(
    "a record set is created where one exists: the google provider overwrites it, whoever made it",
    "import the record set that exists, or move its address with a 'moved' block, so that the plan shows what changes",
  ),
  "certificate-deletion-prevented": error(
    "a certificate can't be deleted: the apply stops there, and so does every later one",
    "set deletion_policy to DELETE on the certificate in an apply of its own, then rotate it",
  ),
  "created-twice": error(
    "two resources are created under the same name in one project: the service refuses the second, and the apply stops there",
    "use a module of 'cert-migration synth' once in a project, and write a module for each migration",
  ),
} as const satisfies CodeTable;

export type PlanDangerCode = keyof typeof planDangers;

/** One thing that the plan would do. Its subject is the address in Terraform; empty for the plan as a whole. */
export type PlanDanger = Finding<PlanDangerCode>;

export const danger = findingsOf(planDangers);

/** Names in a message, of which there may be thousands. */
export function listed(names: readonly string[], separator = ", "): string {
  const shown = names.slice(0, 5).join(separator);
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof planDangers, true> {}
}
