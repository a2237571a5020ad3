/** Reads the requests to the cloud's API, and checks that created resources were deleted. */

import { createdInTarget, nameInTarget } from "../../resource-names";
import type { RehearsalResult } from "../rehearsal";
import { check, type EvidenceCheck, linesOf } from "./evidence-lines";

interface Request {
  readonly number: number;
  readonly method?: string;
  readonly status: number;
  readonly target?: string;
  /** Caller; always present in evidence. */
  readonly caller?: string;
}

/** Checks that Terraform deleted everything that it created, if no fault took effect and no run was killed. */
export function deletionsCheck(
  { created, deleted, inserted }: Awaited<ReturnType<typeof readRequests>>,
  { destroyed, faultCounts, kills }: RehearsalResult,
): EvidenceCheck {
  const isUndisturbed = kills === 0 && faultCounts.every(({ count }) => count === 0);
  const left = [
    ...[...created].filter((name) => !deleted.has(name)),
    ...[...inserted].filter(([, count]) => count > 0).map(([collection, count]) => `${count} of ${collection}`),
  ];
  const isWhole = !destroyed || !isUndisturbed || left.length === 0;
  return check(
    "deletions",
    isWhole,
    isWhole ? `${deleted.size} of ${created.size} created resources` : `not deleted: ${left.slice(0, 5).join(", ")}`,
  );
}

/**
 * Returns the number of requests, and whether they are numbered without gaps. Also returns the names that were created
 * and deleted, and the number of remaining resources by Compute Engine collection.
 */
export async function readRequests(file: string) {
  const created = new Set<string>();
  const deleted = new Set<string>();
  const inserted = new Map<string, number>();
  let count = 0;
  let isWhole = true;
  for await (const request of linesOf<Request>(file, { number: "number", status: "number" })) {
    const { number, method, status, target, caller } = request;
    count += 1;
    if (number !== count) isWhole = false;
    if (status >= 300 || !isTerraforms(caller)) continue;
    const [, service, collection = "", verb] = /^(\w+)\.(?:.*\.)?(\w+)\.(\w+)$/.exec(method ?? "") ?? [];
    if (service === "certificatemanager" && verb === "create") {
      const { parent, id } = createdInTarget(target ?? "") ?? { parent: "", id: "" };
      const name = `${parent}/${decode(id)}`;
      created.add(name);
      // A resource that is created again under the same name must be deleted again.
      deleted.delete(name);
    }
    if (service === "certificatemanager" && verb === "delete") {
      deleted.add(nameInTarget(target ?? "") ?? "");
    }
    if (service === "compute") {
      const change = verb === "insert" ? 1 : verb === "delete" ? -1 : 0;
      inserted.set(collection, (inserted.get(collection) ?? 0) + change);
    }
  }
  return { count, isWhole, created, deleted, inserted };
}

/**
 * Returns whether the caller is Terraform, which sends a token. Resources that other callers create for the rehearsal
 * are ignored.
 */
function isTerraforms(caller: string | undefined): boolean {
  return String(caller).startsWith("token ");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
