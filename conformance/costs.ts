/** A price of Google, with its source. Read in November 2026; docs/permissions.md has the same prices. */
interface Price {
  /** Beginning of the methods that create what is charged. */
  readonly kinds: readonly string[];
  readonly price: string;
  readonly source: string;
}

const readOn = "2026-11-20";

const prices: readonly Price[] = [
  {
    kinds: ["certificatemanager.projects.locations.certificates"],
    price: "a certificate: free up to 100 in a project, then 0.20 USD a month (not confirmed)",
    source: "https://cloud.google.com/certificate-manager/pricing",
  },
  {
    kinds: ["compute.globalForwardingRules", "compute.forwardingRules"],
    price: "up to five forwarding rules: 0.025 USD an hour together; each further rule 0.01 USD an hour",
    source: "https://cloud.google.com/load-balancing/pricing",
  },
  {
    kinds: ["compute.globalAddresses", "compute.addresses"],
    price: "an external address: charged by the hour (price not confirmed)",
    source: "https://cloud.google.com/vpc/network-pricing",
  },
  {
    kinds: ["dns."],
    price: "queries of the records: 0.40 USD per million; a zone that the suite creates: 0.20 USD a month",
    source: "https://cloud.google.com/dns/pricing",
  },
  {
    kinds: ["privateca."],
    price: "a CA: charged by the month, in part, and by the certificate (price not confirmed); '--skip private-ca'",
    source: "https://cloud.google.com/certificate-authority-service/pricing",
  },
  {
    kinds: ["monitoring."],
    price: "alert conditions and uptime checks: free up to an allowance, then charged (price not confirmed)",
    source: "https://cloud.google.com/products/observability/pricing",
  },
];

/** Returns the prices of what a run creates. @param kinds methods that create the resources */
export function costsOf(kinds: readonly string[]): readonly string[] {
  const charged = prices.filter((price) => price.kinds.some((start) => kinds.some((kind) => kind.startsWith(start))));
  const lines = charged.map(({ price, source }) => `${price} (${source}, read on ${readOn})`);
  return lines.length === 0 ? ["nothing that has a price"] : lines;
}
