import { CloudError } from "../cloud-error";
import type { Json } from "../front";
import { canonicalName } from "../name-server";
import { dnsErrors, invalidEntity } from "./answers";
import { isSameRecordSet, type RecordSetResource, readRecordSet, recordSetKey, recordSetTitle } from "./record-sets";
import type { ManagedZone } from "./zones";

export interface CheckedChange {
  readonly additions: readonly RecordSetResource[];
  readonly deletions: readonly RecordSetResource[];
}

const mostInChange = 1_000;

/** Checks a change as a whole. @param find finds a record set of the zone by its key @param namesakes by name */
export function checkChange(
  change: { readonly additions?: unknown; readonly deletions?: unknown },
  zone: ManagedZone,
  find: (key: string) => RecordSetResource | undefined,
  namesakes: (name: string) => readonly RecordSetResource[],
): CheckedChange {
  const additions = read(change.additions, "change.additions", zone);
  const deletions = read(change.deletions, "change.deletions", zone);
  if (additions.length + deletions.length === 0)
    throw new CloudError("INVALID_ARGUMENT", "The 'entity.change' parameter is required but was missing.", {
      reason: "required",
    });
  const deleted = new Set<string>();
  for (const [index, deletion] of deletions.entries()) {
    const path = `change.deletions[${index}]`;
    checkDeletion(deletion, path, zone, additions, find);
    const key = recordSetKey(deletion);
    if (deleted.has(key)) throw invalidEntity(path, recordSetTitle(deletion), "a change deletes a record set once");
    deleted.add(key);
  }
  const added = new Set<string>();
  for (const [index, addition] of additions.entries()) {
    const path = `change.additions[${index}]`;
    const key = recordSetKey(addition);
    if (added.has(key) || (find(key) !== undefined && !deleted.has(key)))
      throw dnsErrors.alreadyExists(path, recordSetTitle(addition));
    added.add(key);
    checkExclusive(addition, path, zone, [
      ...namesakes(addition.name).filter((recordSet) => !deleted.has(recordSetKey(recordSet))),
      ...additions,
    ]);
  }
  return { additions, deletions };
}

function read(given: unknown, path: string, { dnsName }: ManagedZone): readonly RecordSetResource[] {
  const list = (given ?? []) as readonly Json[];
  if (list.length > mostInChange)
    throw invalidEntity(path, list.length, `at most ${mostInChange} record sets in one change`);
  return list.map((item, index) => readRecordSet(item, `${path}[${index}]`, dnsName));
}

function checkDeletion(
  deletion: RecordSetResource,
  path: string,
  { dnsName }: ManagedZone,
  additions: readonly RecordSetResource[],
  find: (key: string) => RecordSetResource | undefined,
): void {
  const key = recordSetKey(deletion);
  const current = find(key);
  if (current === undefined)
    throw new CloudError(
      "NOT_FOUND",
      `The 'entity.${path}' resource named '${recordSetTitle(deletion)}' does not exist.`,
    );
  if (!isSameRecordSet(current, deletion)) {
    const message = `Precondition not met for 'entity.${path}': it has to be exactly what the zone has`;
    throw new CloudError("CONDITION_NOT_MET", message);
  }
  const isApex = canonicalName(deletion.name) === dnsName && (deletion.type === "SOA" || deletion.type === "NS");
  if (isApex && !additions.some((addition) => recordSetKey(addition) === key))
    throw new CloudError(
      "INVALID_ARGUMENT",
      `The resource record set 'entity.${path}' is invalid because a zone must contain exactly one resource record set of type '${deletion.type}' at the apex.`,
      { reason: "invalidZoneApex" },
    );
}

/** Checks that a name with a CNAME has no other records (RFC 1034, 3.6.2), and that the apex has no CNAME. */
function checkExclusive(
  addition: RecordSetResource,
  path: string,
  { dnsName }: ManagedZone,
  others: readonly RecordSetResource[],
): void {
  const name = canonicalName(addition.name);
  if (addition.type === "CNAME" && name === dnsName)
    throw conflict(
      `The resource record set 'entity.${path}' is invalid because the DNS name '${dnsName}' may not have a CNAME: it is the apex of the zone.`,
    );
  const rival = others.find(
    (namesake) =>
      namesake !== addition &&
      canonicalName(namesake.name) === name &&
      (addition.type === "CNAME" || namesake.type === "CNAME"),
  );
  if (rival === undefined) return;
  throw conflict(
    `The resource record set 'entity.${path}' is invalid because the DNS name '${addition.name}' may have either one CNAME resource record set or resource record sets of other types, but not both.`,
  );
}

function conflict(message: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", message, { reason: "cnameResourceRecordSetConflict" });
}
