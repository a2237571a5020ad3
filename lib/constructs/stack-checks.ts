import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { Annotations, TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { readHostname } from "../hostnames";
import { type Finding, isReference, type MigrationSpec, withRemedy } from "../plan";
import { identityIn } from "./reference";
import { argumentOf, projectOf } from "./stack-provider";
import { PerSynthesis } from "./synthesis-hooks";
import { zoneDomain } from "./zone-domain";

/** An authorization that was created without this package. */
export interface RawAuthorization {
  readonly construct: string;
  readonly stack: TerraformStack;
  readonly domain: string;
  readonly location: string;
  /** Identity of its project, as `StackProjects` of its stack has it. */
  readonly project: string | null;
  readonly type: string;
}

const rawOfApp = new PerSynthesis<readonly RawAuthorization[]>();

/**
 * Returns the authorizations of an app that this package did not create. References have no known domain.
 *
 * @param stack stack that is synthesized
 */
export function rawAuthorizationsFor(
  stack: TerraformStack,
  isOwn: (node: IConstruct) => boolean,
): readonly RawAuthorization[] {
  return rawOfApp.valueFor(stack, (app) => app.node.findAll().flatMap((node) => readRawAuthorization(node, isOwn)));
}

function readRawAuthorization(node: IConstruct, isOwn: (node: IConstruct) => boolean): readonly RawAuthorization[] {
  // Compares the resource types: with several copies of the bindings there are several classes of one type.
  if (!TerraformResource.isTerraformResource(node) || isOwn(node)) return [];
  if (node.terraformResourceType !== CertificateManagerDnsAuthorization.tfResourceType) return [];
  const domain = argumentOf(node, "domain") ?? "";
  const read = readHostname(domain);
  if (isReference(domain) || !("hostname" in read)) return [];
  const stack = TerraformStack.of(node);
  const location = argumentOf(node, "location") ?? "global";
  return [
    {
      construct: node.node.path,
      stack,
      domain: read.hostname,
      location,
      project: identityOrNull(stack, projectOf(node)),
      type: argumentOf(node, "type") ?? (location === "global" ? "FIXED_RECORD" : "PER_PROJECT_RECORD"),
    },
  ];
}

function identityOrNull(stack: TerraformStack, project: string | undefined): string | null {
  return project === undefined ? null : identityIn(stack, project);
}

/** Collects the zones of all constructs of a stack, which often share one `dns` object. */
export class ZoneUse {
  readonly #used = new Set<string>();
  readonly #unused = new Map<string, { readonly owner: Construct; readonly finding: Finding }>();

  /** @param findings findings of the construct's own plan */
  add(owner: Construct, { dns }: MigrationSpec, findings: readonly Finding[]): void {
    if (dns.kind !== "cloudDns") return;
    const unused = new Map(
      findings.filter(isZoneUnused).map((finding) => [zoneDomain(finding.subject.replace(/^.*\//, "")), finding]),
    );
    for (const key of Object.keys(dns.zones)) {
      const domain = zoneDomain(key);
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
