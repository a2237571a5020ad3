/** What a plan is refused or warned for: what it would do, and what to do instead. Code and severity are contract; the words are for people. */
export const planDangers = {
  "plan-incomplete": {
    severity: "refused",
    meaning: "the plan is not whole: Terraform stopped with an error",
    remedy: "mend what 'terraform plan' says, and plan again: what is not planned can't be judged",
  },
  "plan-unknown-action": {
    severity: "refused",
    meaning: "Terraform means to do something that this version knows nothing of",
    remedy: "use a newer version of cert-migration, or see by hand what Terraform does to the resource",
  },
  "plan-partial": {
    severity: "warning",
    meaning: "the plan is not all that the configuration asks for: Terraform was given -target, or puts something off",
    remedy: "plan without -target, and have every later plan judged as well",
  },
  "entry-deleted": {
    severity: "refused",
    meaning: "a hostname that is served by the map loses its entry, and every handshake for it fails",
    remedy: "move the hostname's traffic away first; then detach the map, or delete the entry with traffic elsewhere",
  },
  "entry-deleted-covered": {
    severity: "warning",
    meaning: "a hostname loses its own entry, and is served by another entry from then on: of a wildcard, or PRIMARY",
    remedy: "check that the certificate of the other entry is the one that clients should get",
  },
  "entry-replaced": {
    severity: "refused",
    meaning:
      "an entry is deleted and another one is created for its hostname; until that is active every handshake for the hostname fails",
    remedy:
      "keep the address, name, map and hostname of the entry: use 'for_each' with the hostname as its key, not 'count'; change only its certificates",
  },
  "entry-certificate-mismatch": {
    severity: "refused",
    meaning: "an entry gets a certificate that is not for a hostname that the entry serves: clients refuse it",
    remedy: "name a certificate that is for the hostname, or for the wildcard above it",
  },
  "entry-emptied": {
    severity: "refused",
    meaning: "an entry is left without any certificate, and every handshake that it serves fails",
    remedy: "name the successor in the same change that takes the old certificate away",
  },
  "map-deleted": {
    severity: "refused",
    meaning: "a map is deleted that a target proxy presents",
    remedy: "attach another map with the same hostnames first, in an apply of its own",
  },
  "map-detached": {
    severity: "refused",
    meaning: "a target proxy loses its map, and with it every certificate",
    remedy:
      "leave certificate_map as it is until traffic is elsewhere, or put another map with the same hostnames in its place",
  },
  "map-switched-incomplete": {
    severity: "refused",
    meaning: "a target proxy gets another map, which has no entry for some of the hostnames that are served now",
    remedy: "add an entry for each hostname to the new map, wait for it, then switch",
  },
  "map-switched-early": {
    severity: "refused",
    meaning:
      "a target proxy gets a map with an entry that can't serve yet, or that Terraform may create later: a map goes before what the proxy had",
    remedy:
      "let the proxy depend on every entry of the map ('depends_on'), and each entry on 'cert-migration wait' for its certificate; or attach the map in a later apply",
  },
  "map-switched-to-unknown": {
    severity: "warning",
    meaning: "a target proxy gets a map of which the plan knows nothing, and presents what its entries have",
    remedy: "see that the map has an ACTIVE entry for each hostname that the proxy serves now",
  },
  "certificate-detached": {
    severity: "refused",
    meaning:
      "a target proxy loses a certificate that it has directly, and with it names that no other of its certificates is for",
    remedy: "put a certificate for the names into the list first; the proxy presents the one that fits",
  },
  "certificate-detached-unknown": {
    severity: "warning",
    meaning:
      "a target proxy loses a certificate that it has directly, and the plan can't tell whether others are for its names",
    remedy: "see that the certificates that the proxy keeps are for every name that is served",
  },
  "proxy-deleted": {
    severity: "refused",
    meaning: "a target proxy is deleted: connections are refused",
    remedy: "move traffic away first; connections to the proxy are refused from then on",
  },
  "proxy-replaced": {
    severity: "refused",
    meaning: "a target proxy is deleted and made anew: connections are refused in between",
    remedy: "change only what can be changed in place, or set create_before_destroy and another name",
  },
  "forwarding-rule-deleted": {
    severity: "refused",
    meaning: "nothing listens at an address of the load balancer any more",
    remedy: "keep the address: move traffic away first, or make another rule on another address beside it",
  },
  "forwarding-rule-repointed": {
    severity: "refused",
    meaning: "an address of the load balancer is led to a target that has no certificate for what is served there",
    remedy:
      "give the new target proxy a map with ACTIVE entries for the same hostnames first, then lead the rule there",
  },
  "forwarding-rule-repointed-to-unknown": {
    severity: "warning",
    meaning: "an address of the load balancer is led to a target of which the plan knows nothing",
    remedy: "see that the new target proxy presents a certificate for each hostname: cert-migration verify",
  },
  "address-deleted": {
    severity: "refused",
    meaning: "an address that is in use is given back, and may be given to somebody else while DNS still leads there",
    remedy: "let DNS lead elsewhere and its time to live pass first; set prevent_destroy on addresses",
  },
  "authorization-record-deleted": {
    severity: "refused",
    meaning:
      "the CNAME of a DNS authorization goes, and certificates for the domain can't be issued or renewed any more",
    remedy: "leave the CNAME where it is: certificates are renewed by it for as long as they are in use",
  },
  "authorization-deleted": {
    severity: "refused",
    meaning: "a DNS authorization goes that certificates are renewed by",
    remedy: "keep the authorization until no certificate for the domain is in use",
  },
  "authorization-replaced": {
    severity: "refused",
    meaning:
      "a DNS authorization makes way for a new one, whose CNAME has other data: a certificate that stays was issued by the old one, and can't be renewed any more",
    remedy:
      "keep the authorization's name, domain, type and location, and set prevent_destroy; or make the certificate anew in the same apply, create_before_destroy",
  },
  "caa-forbids-issuance": {
    severity: "refused",
    meaning:
      "CAA records forbid Google Trust Services to issue a managed certificate: it can't be issued, and one that serves can't be renewed",
    remedy:
      'add the record 0 issue "pki.goog" (for wildcards also 0 issuewild "pki.goog", if there are issuewild records) to the CAA records in the same change',
  },
  "certificate-destroyed-early": {
    severity: "refused",
    meaning: "a certificate is destroyed while an entry or a proxy still presents it",
    remedy: "let the successor become ACTIVE and the entry be repointed first; never plan with -target",
  },
  "certificate-replaced-destroy-first": {
    severity: "refused",
    meaning: "a certificate is destroyed before its successor is issued",
    remedy: "set create_before_destroy on the certificate, and let its name change with its domains",
  },
  "uploaded-certificate-not-valid": {
    severity: "refused",
    meaning: "a certificate is uploaded that has expired, or is not valid yet: clients refuse it",
    remedy: "put a certificate into the configuration that is valid today, and plan again",
  },
  "uploaded-certificate-expired": {
    severity: "warning",
    meaning: "a certificate that was uploaded before and stays has expired: clients refuse it, whatever the plan does",
    remedy: "upload its successor, or let a managed certificate take its place; delete it where nothing presents it",
  },
  "uploaded-certificate-expires-soon": {
    severity: "warning",
    meaning: "an uploaded certificate ends within 30 days, and nobody renews it but you",
    remedy: "upload its successor before, or let a managed certificate take its place",
  },
  "repointed-to-inactive": {
    severity: "refused",
    meaning: "an entry or a proxy gets a certificate that is not ACTIVE: handshakes fail until it is",
    remedy: "wait first: gate the change by 'cert-migration wait' or a precondition on the certificate's state",
  },
  "repointed-to-unknown": {
    severity: "warning",
    meaning:
      "an entry or a proxy gets a certificate of which the plan can't tell whether it is ACTIVE, or which one of several it is",
    remedy:
      "see that the certificate is ACTIVE and for the hostname: 'cert-migration wait --certificate' asks for it by its name; where it is one of several, refer to it by a constant key",
  },
  "repointed-behind-condition": {
    severity: "warning",
    meaning:
      "an entry or a proxy gets a certificate that is not ACTIVE, and what its condition asks the plan does not say",
    remedy:
      "see that it is a precondition on the certificate's state: a postcondition is judged when the change is done",
  },
  "traffic-record-deleted": {
    severity: "refused",
    meaning: "a hostname that is served loses its last address, and resolves to nothing",
    remedy: "change the record's data in place, or leave it: without it the name resolves to nothing",
  },
  "traffic-record-replaced": {
    severity: "refused",
    meaning:
      "the address records of a hostname are deleted and made anew: in between it resolves to nothing, and resolvers remember that",
    remedy:
      "change the data of the record set that there is; where the type has to change, point its CNAME elsewhere instead",
  },
  "traffic-address-family-deleted": {
    severity: "warning",
    meaning: "a hostname loses its addresses of one family and keeps those of the other",
    remedy: "see that clients of the other address family can do without",
  },
  "traffic-before-verification": {
    severity: "refused",
    meaning: "traffic is moved to a load balancer that can't have been verified yet",
    remedy:
      "apply the load balancer's part first, run 'cert-migration verify', then move traffic in an apply of its own",
  },
  "traffic-split": {
    severity: "refused",
    meaning:
      "an address set becomes partly the load balancer and partly an address that the plan knows nothing of: a part of the clients goes there",
    remedy:
      "compare the addresses of the record with the ones of the forwarding rules; if something else of yours serves the hostname there, allow it: --allow traffic-split=HOSTNAME",
  },
  "traffic-appears": {
    severity: "warning",
    meaning: "a hostname gets addresses of a kind that it has none of in this plan: clients begin to use them at once",
    remedy:
      "see that DNS has no such record by other hands, and that what listens there serves the name: run 'cert-migration verify' before the apply",
  },
  "traffic-moves": {
    severity: "warning",
    meaning: "traffic is moved: step 8",
    remedy: "run 'cert-migration verify' before the apply, and 'cert-migration watch' during it",
  },
  "traffic-leaves": {
    severity: "warning",
    meaning:
      "traffic is moved away from the load balancer, to an address that the plan does not know: a rollback, or a slip",
    remedy: "see that what listens there serves the name: 'cert-migration verify' asks it",
  },
  "zone-deleted": {
    severity: "refused",
    meaning: "a DNS zone is deleted, and with it the records of hostnames that are served and of their authorizations",
    remedy: "keep the zone, or move its records to the zone that is delegated to from then on",
  },
  "record-overwritten": {
    severity: "warning",
    meaning: "a record set is created where one exists: the google provider overwrites it, whoever made it",
    remedy:
      "import the record set that exists, or move its address with a 'moved' block, so that the plan shows what changes",
  },
  "certificate-deletion-prevented": {
    severity: "refused",
    meaning: "a certificate can't be deleted: the apply stops there, and so does every later one",
    remedy: "set deletion_policy to DELETE on the certificate in an apply of its own, then rotate it",
  },
} as const satisfies Readonly<
  Record<string, { readonly severity: "refused" | "warning"; readonly meaning: string; readonly remedy: string }>
>;

export type PlanDangerCode = keyof typeof planDangers;

/** One thing that the plan would do. */
export interface PlanDanger {
  readonly code: PlanDangerCode;
  readonly severity: "refused" | "warning";
  /** Address in Terraform; empty for the plan as a whole. */
  readonly address: string;
  readonly message: string;
  readonly meaning: string;
  readonly remedy: string;
  /** Hostnames that it is about, where the plan says which: `PRIMARY` for clients that no other entry is for. */
  readonly hostnames: readonly string[];
  /** A command line for a POSIX shell that shows more; untrusted. */
  readonly command?: string;
}

/** What is known of a danger beside its message. */
export interface DangerDetails {
  /** @default - none */
  readonly hostnames?: readonly string[];
  readonly command?: string;
}

export function danger(
  code: PlanDangerCode,
  address: string,
  message: string,
  { hostnames = [], ...details }: DangerDetails = {},
): PlanDanger {
  return { code, address, message, ...planDangers[code], hostnames, ...details };
}

/** Names in a message, of which there may be thousands. */
export function listed(names: readonly string[], separator = ", "): string {
  const shown = names.slice(0, 5).join(separator);
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
