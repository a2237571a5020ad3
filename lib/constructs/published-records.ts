import { TerraformResource, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { InputError, type Problem } from "../errors";
import type { Code } from "../findings/codes";
import { isFields } from "../json/fields";
import { referenceIn } from "../plan";
import { quote } from "../text/quote";
import { requireOwnKit } from "./kit";
import type { IRecordPublisher, PublishedRecord, RecordToPublish } from "./record-publisher";
import { addressOf } from "./reference";

/** Adds an import block for a resource. */
type AddImport = (resource: TerraformResource, id: string) => void;

/**
 * Lets a publisher create a record, and imports the resources of a record that exists. Without a publisher, there are
 * no resources.
 *
 * @param parent construct below which the scope of the record is created
 * @param id id of the scope, from the identity of the record
 * @throws InputError `published-record-invalid`, `import-id-missing`
 */
export function publishWith(
  publisher: IRecordPublisher | undefined,
  { parent, id, addImport }: { readonly parent: Construct; readonly id: string; readonly addImport: AddImport },
  record: RecordToPublish,
): readonly TerraformResource[] {
  if (publisher === undefined) return [];
  const scope = new Construct(parent, id);
  const returned: unknown = publisher.publish(scope, record);
  const published = checked(scope, record, returned);
  if (record.exists) {
    const importable = published.filter(({ importId }) => importId !== undefined);
    if (importable.length === 0) {
      const advice = "return 'importId', in the form that the provider documents for imports";
      throw problem("import-id-missing", record, `exists, and its resource has no import id; ${advice}`);
    }
    for (const { resource, importId = "" } of importable) addImport(resource, importId);
  }
  for (const { resource } of published) addressOf(resource);
  return published.map(({ resource }) => resource);
}

/** Returns what a publisher has returned, without trusting its type. */
function checked(scope: Construct, record: RecordToPublish, returned: unknown): readonly PublishedRecord[] {
  const form = "return a list such as [{ resource, importId }]";
  if (!Array.isArray(returned) || returned.length === 0) {
    throw problem(
      "published-record-invalid",
      record,
      `has no resource: 'publish' returned no list of resources; ${form}`,
    );
  }
  const items = returned as readonly unknown[];
  for (const item of items) {
    const resource: unknown = isFields(item) ? item.resource : undefined;
    if (!TerraformResource.isTerraformResource(resource)) {
      throw problem("published-record-invalid", record, `has an item without a Terraform resource; ${form}`);
    }
    requireOwnKit(resource, `the resource of ${nameOf(record)}`);
    if (TerraformStack.of(resource) !== TerraformStack.of(scope)) {
      const what = `has the resource ${quote(resource.node.path)} of another stack; create it in 'scope'`;
      throw problem("published-record-invalid", record, what);
    }
    const importId: unknown = isFields(item) ? item.importId : undefined;
    // Only a record that exists is imported; ids of other records may be composed of names that Terraform computes.
    if (record.exists && importId !== undefined && !isImportId(importId)) {
      const allowed = "it may be a text, in which ${…} contains a plain reference such as ${var.zone}, or a token";
      const given = typeof importId === "string" ? quote(importId) : `of the type ${typeof importId}`;
      throw problem("published-record-invalid", record, `has the import id ${given}; ${allowed}`);
    }
  }
  return items as readonly PublishedRecord[];
}

const part = /\$\{[^{}]*\}/g;

/**
 * Returns whether an import id is a text in which Terraform evaluates only plain references. Tokens of the kit are
 * resolved later, and come from the user's own resources.
 */
function isImportId(value: unknown): boolean {
  if (typeof value !== "string" || value.trim() === "") return false;
  const parts = value.match(part) ?? [];
  const isKnown = (text: string) => /^\$\{TfToken\[[^\]]*\]\}$/.test(text) || referenceIn(text) !== undefined;
  return parts.every(isKnown) && !/[$%]\{/.test(value.replace(part, ""));
}

function nameOf({ type, hostname, purpose }: RecordToPublish): string {
  const use = purpose === "authorization" ? " of the authorization" : "";
  return `the ${type} record${use} of ${quote(hostname)}`;
}

function problem(code: Code, record: RecordToPublish, what: string): InputError {
  const problems: readonly Problem[] = [{ code, message: `DnsPublication.custom: ${nameOf(record)} ${what}` }];
  return new InputError(problems);
}
