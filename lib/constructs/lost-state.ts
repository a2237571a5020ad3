/** Stacks that take over everything that exists, after Terraform's state is lost. */
import {
  Annotations,
  DefaultTokenResolver,
  StringConcat,
  type TerraformResource,
  type TerraformStack,
  Tokenization,
} from "cdktf";
import type { Construct } from "constructs";
import { type Fields, fieldsOf, listOf } from "../json/fields";
import { importAllContextKey } from "../kits";
import { isReference } from "../plan";
import { describeIdsOfService, describeIdsOfTerraform, importsOf } from "../resource-names";
import { addressOf } from "./reference";

/** Returns whether the app imports every resource that exists. */
export function importsAll(scope: Construct): boolean {
  return scope.node.tryGetContext(importAllContextKey) === true;
}

/** Warns of an uploaded certificate, which can't be imported. */
export function warnOfLostKey(scope: Construct, certificate: string): void {
  if (!importsAll(scope)) return;
  const message = `certificate '${certificate}' is uploaded, and no service returns its key, so it is not imported: raise its 'generation', and delete the former certificate after the apply [import-left-out]`;
  Annotations.of(scope).addWarning(message);
}

/** Warns of alert policies, uptime checks and dashboards: the service chooses their ids, so they are not imported. */
export function warnOfIdsOfService(scope: Construct, resources: readonly TerraformResource[]): void {
  if (!importsAll(scope)) return;
  const found = resources.map((resource) => ({ type: resource.terraformResourceType, address: addressOf(resource) }));
  for (const message of describeIdsOfService(found)) {
    Annotations.of(scope).addWarning(`${message} [import-id-unknown]`);
  }
}

/**
 * Warns of resources whose ids contain values that only Terraform knows.
 *
 * @param imported addresses of resources that have an import block
 */
export function warnOfIdsOfTerraform(
  stack: TerraformStack,
  resources: readonly TerraformResource[],
  imported: ReadonlySet<string>,
): void {
  const resolver = new DefaultTokenResolver(new StringConcat());
  const blocks = new Map<string, Fields>();
  for (const each of resources) {
    const block = Tokenization.resolve(each.toTerraform(), { scope: each, resolver, preparing: false });
    const written = fieldsOf(fieldsOf(block).resource);
    for (const [type, named] of Object.entries(written)) blocks.set(type, { ...blocks.get(type), ...fieldsOf(named) });
  }
  const { leftOut } = importsOf(Object.fromEntries(blocks), (address) => !imported.has(address));
  const unknown = leftOut.filter(({ reason }) => reason === "idOfTerraform").map(({ address }) => address);
  const message = describeIdsOfTerraform(unknown);
  if (message !== undefined) Annotations.of(stack).addWarning(`${message} [import-id-unknown]`);
}

/** Versions of Terraform with import blocks, and with expressions in their ids. */
interface ImportVersions {
  readonly plain: string;
  readonly withExpressions: string;
}

/**
 * Returns the configuration of a stack with import blocks for resources that have none.
 *
 * @param written the configuration
 * @param own addresses of the resources of the migrations
 */
export function withImports(written: Fields, own: ReadonlySet<string>, versions: ImportVersions): Fields {
  const stated = listOf(written.import);
  const imported = new Set(stated.map((block) => fieldsOf(block).to));
  const { blocks } = importsOf(fieldsOf(written.resource), (address) => own.has(address));
  const added = blocks.filter(({ to }) => !imported.has(to));
  const terraform = fieldsOf(written.terraform);
  const isRaised = terraform.required_version === versions.plain && added.some(({ id }) => isReference(id));
  return {
    ...written,
    import: [...stated, ...added],
    terraform: isRaised ? { ...terraform, required_version: versions.withExpressions } : terraform,
  };
}
