/** What a plan is refused or warned for: what it would do, and what to do instead. */
export const planDangers = {
  "plan-incomplete": {
    severity: "refused",
    remedy: "mend what 'terraform plan' says, and plan again: what is not planned can't be judged",
  },
  "entry-deleted": {
    severity: "refused",
    remedy: "move the hostname's traffic away first; then detach the map, or delete the entry with traffic elsewhere",
  },
  "entry-deleted-covered": {
    severity: "warning",
    remedy: "see that the certificate of the wildcard entry is the one that clients should get",
  },
  "entry-replaced": {
    severity: "refused",
    remedy: "keep the entry's name, map and hostname as they are; only its certificates can be changed without a gap",
  },
  "map-deleted": {
    severity: "refused",
    remedy: "attach another map with the same hostnames first, in an apply of its own",
  },
  "map-detached": {
    severity: "refused",
    remedy:
      "leave certificate_map as it is until traffic is elsewhere, or put another map with the same hostnames in its place",
  },
  "map-switched-incomplete": {
    severity: "refused",
    remedy: "add an entry for each hostname to the new map, wait for it, then switch",
  },
  "proxy-deleted": {
    severity: "refused",
    remedy: "move traffic away first; connections to the proxy are refused from then on",
  },
  "proxy-replaced": {
    severity: "refused",
    remedy: "change only what can be changed in place, or set create_before_destroy and another name",
  },
  "forwarding-rule-deleted": {
    severity: "refused",
    remedy: "keep the address: move traffic away first, or make another rule on another address beside it",
  },
  "authorization-record-deleted": {
    severity: "refused",
    remedy: "leave the CNAME where it is: certificates are renewed by it for as long as they are in use",
  },
  "authorization-deleted": {
    severity: "refused",
    remedy: "keep the authorization until no certificate for the domain is in use",
  },
  "certificate-destroyed-early": {
    severity: "refused",
    remedy: "let the successor become ACTIVE and the entry be repointed first; never plan with -target",
  },
  "certificate-replaced-destroy-first": {
    severity: "refused",
    remedy: "set create_before_destroy on the certificate, and let its name change with its domains",
  },
  "repointed-to-inactive": {
    severity: "refused",
    remedy: "wait first: gate the change by 'cert-migration wait' or a precondition on the certificate's state",
  },
  "repointed-to-unknown": {
    severity: "warning",
    remedy: "see that the certificate is ACTIVE: cert-migration wait --certificate NAME",
  },
  "traffic-record-deleted": {
    severity: "refused",
    remedy: "change the record's data in place, or leave it: without it the name resolves to nothing",
  },
  "traffic-record-replaced": {
    severity: "refused",
    remedy:
      "change the data of the record set that there is; where the type has to change, point its CNAME elsewhere instead",
  },
  "traffic-address-family-deleted": {
    severity: "warning",
    remedy: "see that clients of the other address family can do without",
  },
  "traffic-before-verification": {
    severity: "refused",
    remedy:
      "apply the load balancer's part first, run 'cert-migration verify', then move traffic in an apply of its own",
  },
  "traffic-moves": {
    severity: "warning",
    remedy: "run 'cert-migration verify' before the apply, and 'cert-migration watch' during it",
  },
} as const satisfies Readonly<Record<string, { readonly severity: "refused" | "warning"; readonly remedy: string }>>;

export type PlanDangerCode = keyof typeof planDangers;

/** One thing that the plan would do. */
export interface PlanDanger {
  readonly code: PlanDangerCode;
  readonly severity: "refused" | "warning";
  /** Address in Terraform; empty for the plan as a whole. */
  readonly address: string;
  readonly message: string;
  readonly remedy: string;
}

export function danger(code: PlanDangerCode, address: string, message: string): PlanDanger {
  return { code, address, message, ...planDangers[code] };
}
