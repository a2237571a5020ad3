import type { JournalResource } from "./journal";
import { kindCreatedBy, type ResourceKind } from "./resource-kinds";
import type { Answer, Json, Side } from "./side";

/** A resource that could not be deleted. */
interface Leftover {
  readonly resource: JournalResource;
  readonly why: string;
}

export interface CleanupResult {
  readonly deleted: number;
  readonly left: readonly Leftover[];
  /** What the services keep after a deletion. */
  readonly kept: readonly string[];
}

/** Rounds without progress, after which what is left is reported. */
const mostIdleRounds = 5;
const pauseMs = 5_000;

/** The journal contains only resources of the run. */
const cleaning = { mayBeBlocked: true, isOwn: true } as const;

/**
 * Deletes all resources of a journal: the newest first, then again what was still in use, until nothing is left or
 * several rounds delete nothing. May be repeated.
 */
export async function cleanUp(side: Side, resources: readonly JournalResource[]): Promise<CleanupResult> {
  let open: readonly Leftover[] = [...resources].reverse().map((resource) => ({ resource, why: "not deleted" }));
  const kept = new Set<string>();
  let deleted = 0;
  for (let idle = 0; open.length > 0 && idle < mostIdleRounds; ) {
    const left: Leftover[] = [];
    for (const { resource } of open) {
      const why = await remove(side, resource);
      if (why !== undefined) {
        left.push({ resource, why });
        continue;
      }
      deleted += 1;
      const keeps = kindCreatedBy(resource.createdBy)?.keeps;
      if (keeps !== undefined) kept.add(keeps);
    }
    idle = left.length < open.length ? 0 : idle + 1;
    open = left;
    if (open.length > 0) await side.wait(pauseMs);
  }
  return { deleted, left: open, kept: [...kept] };
}

/** Deletes a resource. @returns why it is left; undefined if it does not exist any more */
async function remove(side: Side, { createdBy, target }: JournalResource): Promise<string | undefined> {
  const kind = kindCreatedBy(createdBy);
  if (kind === undefined) return `${createdBy} is not known to this version`;
  try {
    for (const found of await targetsOf(side, kind, target)) {
      for (const method of kind.before ?? []) {
        const answer = await side.call(method, found, {}, cleaning);
        if (answer.status < 300) await side.ended(method, found, answer.body);
      }
      const answer = await side.call(kind.remove, { ...found, ...kind.removal }, undefined, cleaning);
      if (answer.status === 404) continue;
      if (answer.status >= 300) return refusal(answer);
      const { error } = await side.ended(kind.remove, found, answer.body);
      if (error !== undefined) return `the deletion ended with ${JSON.stringify(error)}`;
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function targetsOf(
  side: Side,
  { search }: ResourceKind,
  target: JournalResource["target"],
): Promise<readonly JournalResource["target"][]> {
  if (search === undefined) return [target];
  const found: JournalResource["target"][] = [];
  let pageToken = "";
  do {
    const parameters = pageToken === "" ? target : { ...target, pageToken };
    const { status, body } = await side.call(search.list, parameters, undefined, cleaning);
    if (status >= 300) throw new Error(`${search.list} answered ${status}`);
    const items = (body[search.items] ?? []) as readonly Json[];
    for (const item of items) {
      if (String(item[search.field]).startsWith(side.prefix)) found.push({ name: String(item.name) });
    }
    pageToken = String(body.nextPageToken ?? "");
  } while (pageToken !== "");
  return found;
}

function refusal({ status, body }: Answer): string {
  const { error } = body as { readonly error?: { readonly message?: string } };
  return `HTTP ${status}: ${error?.message ?? "no message"}`;
}
