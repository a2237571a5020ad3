import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { TerraformResource, TerraformStack, Token, Tokenization } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import type { Problem } from "../errors";
import { type Fields, fieldsOf, isFields, listOf } from "../json/fields";
import { Findings, isReference, type MigrationPlan, withRemedy } from "../plan";
import { parseLocatedName } from "../resource-names";
import { migrationPath } from "./migration-path";
import { addressOf, identityIn } from "./reference";

/** A certificate of the app, as its arguments describe it. */
interface AppCertificate {
  readonly resource: TerraformResource;
  readonly stack: TerraformStack;
  readonly values: Fields;
}

/** Checks existing certificates of migrations that other constructs of the same app create. */
export class AppCertificates {
  readonly #stack: TerraformStack;
  readonly #migrations: { readonly owner: Construct; readonly plan: MigrationPlan }[] = [];

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  add(owner: Construct, plan: MigrationPlan): void {
    if (namedIn(plan).length > 0) this.#migrations.push({ owner, plan });
  }

  /** Returns a problem if the load balancer can't use a certificate, or if it is not issued before traffic moves. */
  check(): readonly Problem[] {
    if (this.#migrations.length === 0) return [];
    const certificates = this.#stack.node.root.node.findAll().flatMap(readCertificate);
    return this.#migrations.flatMap(({ owner, plan }) => {
      const findings = new Findings();
      for (const { id, at } of namedIn(plan)) {
        const found = certificates.find((certificate) => this.#isOf(certificate, id));
        if (found !== undefined) checkCertificate(found, plan, at, findings);
      }
      return findings.sorted().map((finding) => {
        return { code: finding.code, message: `${migrationPath(owner)}: ${withRemedy(finding)}` };
      });
    });
  }

  /** Reports whether an id, literal or a reference, is the id of a certificate of the app. */
  #isOf({ resource, stack, values }: AppCertificate, id: string): boolean {
    if (Token.isUnresolved(id)) {
      // Resolving a reference in a stack other than its own would add an output to its own.
      const tokens = Tokenization.reverseString(id).tokens;
      if (!tokens.some((token) => Reflect.get(token, "originStack") === stack)) return false;
      return identityIn(stack, id).includes(`\${${addressOf(resource)}.`);
    }
    if (isReference(id)) return stack === this.#stack && id.includes(`\${${addressOf(resource)}.`);
    const parts = parseLocatedName(id);
    const { name, location = "global", project = parts?.project } = values;
    return (
      parts?.collection === "certificates" &&
      parts.name === name &&
      parts.location === location &&
      parts.project === project
    );
  }
}

/** Returns the existing certificates that a plan names. */
function namedIn({ certificates, entries }: MigrationPlan): readonly { readonly id: string; readonly at: string }[] {
  const ids = new Set(certificates.map(({ id }) => id));
  const existing = certificates.flatMap((certificate) =>
    certificate.kind === "existing" ? [{ id: certificate.existingId, at: certificate.at }] : [],
  );
  const alternatives = new Set(entries.flatMap((entry) => entry.certificates.filter((id) => !ids.has(id))));
  return [...existing, ...[...alternatives].map((id) => ({ id, at: "/certificates" }))];
}

function checkCertificate(
  { resource, values }: AppCertificate,
  { certificates, location, attachment }: MigrationPlan,
  at: string,
  findings: Findings,
): void {
  const { managed, location: place = "global", scope = "DEFAULT" } = values;
  const what = `certificate '${resource.node.path}'`;
  const kind = `${attachment.loadBalancer} load balancer`;
  const { scope: wanted = "DEFAULT" } = certificates[0] ?? {};
  if (isLiteral(place) && place !== location) {
    const message = `${what} is in '${place}' and a ${kind} needs '${location}'`;
    findings.report("certificate-location-mismatch", at, message, "use a certificate in the load balancer's location");
  } else if (isLiteral(scope) && scope !== wanted) {
    const message = `${what} has scope '${scope}' and a ${kind} needs '${wanted}'`;
    findings.report("certificate-scope-mismatch", at, message, "use a certificate with the load balancer's scope");
  }
  if (isAuthorizedByTraffic(managed)) {
    findings.report("certificate-awaits-traffic", at, `${what} is managed and has no 'dnsAuthorizations'`);
  }
}

/** Reports whether a managed certificate is validated by the load balancer to which its names lead. */
function isAuthorizedByTraffic(given: unknown): boolean {
  const managed = Array.isArray(given) ? given[0] : given;
  if (!isFields(managed) || managed.domains === undefined) return false;
  return listOf(managed.dns_authorizations).length === 0 && (managed.issuance_config ?? "") === "";
}

function isLiteral(value: unknown): value is string {
  return typeof value === "string" && !isReference(value);
}

function readCertificate(node: IConstruct): readonly AppCertificate[] {
  // Compares the resource types: with several copies of the bindings there are several classes of one type.
  if (!TerraformResource.isTerraformResource(node)) return [];
  if (node.terraformResourceType !== CertificateManagerCertificate.tfResourceType) return [];
  // With overrides, which a plain resource needs.
  const { resource } = fieldsOf(node.toTerraform());
  const values = fieldsOf(fieldsOf(fieldsOf(resource)[node.terraformResourceType])[node.friendlyUniqueId]);
  return [{ resource: node, stack: TerraformStack.of(node), values }];
}
