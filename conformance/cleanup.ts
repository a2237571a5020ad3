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

/** What became of a resource: `missing` if it did not exist, or else why it is left. */
type Outcome = "deleted" | "missing" | { readonly why: string };

/**
 * Deletes all resources of a journal: the newest first, then again what was still in use, until nothing is left or
 * several rounds delete nothing. A resource that is missing at first is deleted once more after a pause, because the
 * request that a kill has interrupted may still be in progress. May be repeated.
 */
export async function cleanUp(side: Side, resources: readonly JournalResource[]): Promise<CleanupResult> {
  let open: readonly Leftover[] = [...resources].reverse().map((resource) => ({ resource, why: "not deleted" }));
  const kept = new Set<string>();
  let deleted = 0;
  const checked = new Set<JournalResource>();
  for (let idle = 0; open.length > 0 && idle < mostIdleRounds; ) {
    const left: Leftover[] = [];
    for (const { resource } of open) {
      const outcome = await remove(side, resource);
      if (typeof outcome === "object") {
        left.push({ resource, why: outcome.why });
        continue;
      }
      if (outcome === "missing" && !checked.has(resource)) {
        checked.add(resource);
        left.push({ resource, why: "missing, to be checked again" });
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

async function remove(side: Side, { createdBy, target }: JournalResource): Promise<Outcome> {
  const kind = kindCreatedBy(createdBy);
  if (kind === undefined) return { why: `${createdBy} is not known to this version` };
  let outcome: Outcome = "missing";
  try {
    for (const found of await targetsOf(side, kind, target)) {
      for (const method of kind.before ?? []) {
        const answer = await side.call(method, found, {}, cleaning);
        if (answer.status < 300) await side.ended(method, found, answer.body);
      }
      const answer = await side.call(kind.remove, { ...found, ...kind.removal }, undefined, cleaning);
      if (answer.status === 404) continue;
      if (answer.status >= 300) return { why: refusal(answer) };
      const { error } = await side.ended(kind.remove, found, answer.body);
      if (error !== undefined) return { why: `the deletion ended with ${JSON.stringify(error)}` };
      outcome = "deleted";
    }
    return outcome;
  } catch (error) {
    return { why: (error as Error).message };
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
