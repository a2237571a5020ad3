import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { Annotations, Aspects, type TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { readHostname } from "../hostnames";
import { type Finding, isReference, type MigrationSpec, withRemedy } from "../plan";

/** Runs a check at synthesis, when all constructs of the stack exist. */
export function atSynthesis(stack: TerraformStack, check: () => void): void {
  Aspects.of(stack).add({
    visit: (node: IConstruct) => {
      if (node === stack) check();
    },
  });
}

/** An authorization that was created without this package. */
export interface RawAuthorization {
  readonly construct: string;
  readonly domain: string;
  readonly location: string;
  /** Project of the resource; undefined for the provider's. */
  readonly project: string | undefined;
}

/** Returns the authorizations of a stack that are not below the given construct. References have no known domain. */
export function rawAuthorizationsIn(stack: TerraformStack, shared: IConstruct): readonly RawAuthorization[] {
  return stack.node.findAll().flatMap((node) => {
    if (!(node instanceof CertificateManagerDnsAuthorization) || node.node.scope === shared) return [];
    const { domainInput = "", locationInput: location = "global", projectInput: project } = node;
    const read = readHostname(domainInput);
    if (isReference(domainInput) || !("hostname" in read)) return [];
    return [{ construct: node.node.path, domain: read.hostname, location, project }];
  });
}

/** Collects the zones of all constructs of a stack, which often share one `dns` object. */
export class ZoneUse {
  readonly #used = new Set<string>();
  readonly #unused = new Map<string, { readonly owner: Construct; readonly finding: Finding }>();

  /** @param findings findings of the construct's own plan */
  add(owner: Construct, { dns }: MigrationSpec, findings: readonly Finding[]): void {
    if (dns.kind !== "cloudDns") return;
    const unused = new Map(
      findings.filter(isZoneUnused).map((finding) => [domainOf(finding.subject.replace(/^.*\//, "")), finding]),
    );
    for (const key of Object.keys(dns.zones)) {
      const domain = domainOf(key);
      const finding = unused.get(domain);
      if (finding === undefined) this.#used.add(domain);
      else if (!this.#unused.has(domain)) this.#unused.set(domain, { owner, finding });
    }
  }

  /** Warns about each zone that no construct uses. */
  report(): void {
    for (const [domain, { owner, finding }] of this.#unused) {
      if (this.#used.has(domain)) continue;
      this.#used.add(domain);
      Annotations.of(owner).addWarning(`${withRemedy(finding)} [${finding.code}]`);
    }
  }
}

/** Returns whether a finding is about the whole stack rather than about one construct. */
export function isZoneUnused({ code }: Finding): boolean {
  return code === "zone-unused";
}

function domainOf(key: string): string {
  const read = readHostname(key);
  return "hostname" in read ? read.hostname : key;
}
