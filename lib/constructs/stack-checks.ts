import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { Annotations, Aspects, TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { readHostname, readPrivateHostname } from "../hostnames";
import { type Finding, isReference, type MigrationSpec, withRemedy } from "../plan";
import { StackProjects } from "./stack-provider";

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
  readonly stack: TerraformStack;
  readonly domain: string;
  readonly location: string;
  /** Identity of its project, as {@link StackProjects} of its stack has it. */
  readonly project: string | null;
  readonly type: string;
}

/** The authorizations of an app, and the stacks whose synthesis used this list. */
interface AppAuthorizations {
  readonly raw: readonly RawAuthorization[];
  readonly usedBy: Set<TerraformStack>;
}

const rawOfApp = new WeakMap<IConstruct, AppAuthorizations>();

/**
 * Returns the authorizations of an app that this package did not create. References have no known domain. The app is
 * searched once for each of its syntheses, not once for each stack.
 *
 * @param stack stack that is synthesized
 */
export function rawAuthorizationsFor(
  stack: TerraformStack,
  isOwn: (node: IConstruct) => boolean,
): readonly RawAuthorization[] {
  const app = stack.node.root;
  const known = rawOfApp.get(app);
  const current =
    known === undefined || known.usedBy.has(stack)
      ? {
          raw: app.node.findAll().flatMap((node) => readRawAuthorization(node, isOwn)),
          usedBy: new Set<TerraformStack>(),
        }
      : known;
  rawOfApp.set(app, current);
  current.usedBy.add(stack);
  return current.raw;
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
      project: new StackProjects(stack).identityOf(argumentOf(node, "project")),
      type: argumentOf(node, "type") ?? (location === "global" ? "FIXED_RECORD" : "PER_PROJECT_RECORD"),
    },
  ];
}

/** Returns an argument that `addOverride` or the bindings set; plain `TerraformResource`s need overrides. */
function argumentOf(resource: TerraformResource, name: string): string | undefined {
  // cdktf has no public way to read overrides before the synthesis.
  const { rawOverrides } = resource as unknown as { readonly rawOverrides?: Readonly<Record<string, unknown>> };
  const value = rawOverrides?.[name] ?? Reflect.get(resource, `${name}Input`);
  return typeof value === "string" ? value : undefined;
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
  const read = readPrivateHostname(key);
  return "hostname" in read ? read.hostname : key;
}
