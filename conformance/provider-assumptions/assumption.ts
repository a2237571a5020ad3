/** Why a row of the provider's tests has no behavior in the suite. */
const reasons = {
  armor: "not used: this project attaches no security policies of Cloud Armor",
  attribution: "the provider merges labels and adds its own before it sends them",
  backends: "not used: this project creates no instances, endpoint groups or backends of them",
  balancing: "not used: this project does not choose how a backend service balances",
  buckets: "not used: this project creates no backend buckets",
  cdn: "not used: this project does not configure Cloud CDN",
  classicMigration: "not used: this project does not migrate classic load balancers to another scheme",
  clientFilter: "the provider filters the list itself, because the API refuses a type without a name",
  comparison: "the provider compares values itself and sends no request",
  healthCheckedRouting: "not used: this project writes record sets without health checks",
  iap: "not used: this project does not configure Identity-Aware Proxy",
  importId: "the provider reads the id of an import itself",
  importLinks:
    "the provider compares links itself; the ignored fields of an import are links that the service completes",
  labelsOfConfiguration: "the provider keeps the labels of the configuration apart from those of the service",
  links: "the provider completes a short name to a link before it sends the name",
  logFields: "not used: this project does not choose the fields of request logs",
  mesh: "not used: this project does not configure Cloud Service Mesh (INTERNAL_SELF_MANAGED)",
  names: "the provider makes the name itself",
  own: "the provider does it with several requests of its own",
  ownPrefixes: "not used: this project uses no addresses that the user brings",
  passthrough: "not used: this project attaches certificates to proxies, and a passthrough load balancer has none",
  privateZones: "not used: this project writes records of public zones, because a CA validates domains there",
  region: "the provider takes the region from its own configuration",
  replacement: "Terraform replaces the resource: the API has no request that changes an SSL certificate",
  routing: "not used: this project does not route by headers, parameters or templates of paths",
  serviceConnect: "not used: this project does not configure Private Service Connect",
  state: "the provider reads a state of its older versions itself",
  subnets: "not used by the suite: an internal address needs a network and a subnet, which the suite does not create",
  tags: "not used: this project does not set tags of an organization",
  writeOnly: "the argument is not stored in the state; the request is the same",
  zonePolicies: "not used: this project does not change IAM policies of zones",
} as const;

type Reason = keyof typeof reasons;

/** What a test of the real provider expects, with the behaviors that cover it, or a reason if none does. */
export type ProviderAssumption = {
  /** Test file of the provider, below `google/services/`. */
  readonly file: string;
  /** Test function. */
  readonly test: string;
  readonly assumption: string;
} & Coverage;

type Coverage =
  | { readonly behaviors: readonly string[]; readonly reason?: never }
  | { readonly reason: string; readonly behaviors?: never };

type Row = { readonly assumption: string } & Coverage;

/** Declares an assumption that behaviors of the suite cover. @param behaviors ids */
export function covered(assumption: string, ...behaviors: readonly string[]): Row {
  return { assumption, behaviors };
}

/** Declares an expectation that is beyond the suite. */
export function beyond(assumption: string, reason: Reason): Row {
  return { assumption, reason: reasons[reason] };
}

/** Returns the rows of a test file. @param tests rows by the name of the test function */
export function inFile(file: string, tests: Readonly<Record<string, readonly Row[]>>): readonly ProviderAssumption[] {
  return Object.entries(tests).flatMap(([test, rows]) => rows.map((row) => ({ file, test, ...row })));
}
