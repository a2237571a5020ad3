import type { JournalEntry, JournalResource } from "./journal";
import { kindCreatedBy, type ResourceKind } from "./resource-kinds";
import type { Answer, Json, Side } from "./side";

/** A resource that could not be deleted. */
interface Leftover {
  readonly resource: JournalEntry;
  readonly why: string;
  /** Whether a later try can't succeed either, because a permission is missing. */
  readonly isFinal?: boolean;
}

export interface CleanupResult {
  readonly deleted: number;
  readonly left: readonly Leftover[];
  /** What the services keep after a deletion. */
  readonly kept: readonly string[];
}

/** Time without progress after which what is left is reported: Google may need minutes until nothing is in use. */
const mostIdleMs = 15 * 60_000;
const pausesMs = { first: 5_000, most: 60_000, growth: 1.5 } as const;
/** Time in which a request that was sent but not answered, as at a kill, may still create its resource. */
const appearsWithinMs = 2 * 60_000;

/** The journal contains only resources of the run. */
const cleaning = { mayBeBlocked: true, isOwn: true } as const;

/** What became of a resource: `missing` if it did not exist, or else why it is left. */
type Outcome = "deleted" | "missing" | Pick<Leftover, "why" | "isFinal">;

/**
 * Deletes all resources of a journal: the newest first, then again what was still in use, until nothing is left or
 * nothing was deleted for 15 minutes. A resource that is missing is looked for again: once after a pause, and for two
 * minutes if its creating request was not answered. May be repeated.
 *
 * @param onPause called before a pause, which grows from 5 to 60 seconds, with the number of resources that are left
 */
export async function cleanUp(
  side: Side,
  resources: readonly JournalEntry[],
  onPause: (left: number, pauseMs: number) => void = () => undefined,
): Promise<CleanupResult> {
  let open: readonly Leftover[] = [...resources].reverse().map((resource) => ({ resource, why: "not deleted" }));
  const kept = new Set<string>();
  let deleted = 0;
  let pauseMs: number = pausesMs.first;
  let waitedMs = 0;
  let idleMs = 0;
  while (open.length > 0) {
    const left: Leftover[] = [];
    for (const { resource } of open) {
      const outcome = await remove(side, resource);
      const isChecked = waitedMs >= (resource.isAnswered ? pausesMs.first : appearsWithinMs);
      if (typeof outcome === "object") left.push({ resource, ...outcome });
      else if (outcome === "missing" && !isChecked) left.push({ resource, why: "missing, to be checked again" });
      else {
        deleted += 1;
        const keeps = kindCreatedBy(resource.createdBy)?.keeps;
        if (keeps !== undefined) kept.add(keeps);
      }
    }
    if (left.length < open.length) {
      idleMs = 0;
      pauseMs = pausesMs.first;
    }
    open = left;
    if (open.every(({ isFinal }) => isFinal === true) || idleMs >= mostIdleMs) break;
    onPause(open.length, pauseMs);
    await side.wait(pauseMs);
    waitedMs += pauseMs;
    idleMs += pauseMs;
    pauseMs = Math.min(pausesMs.most, pauseMs * pausesMs.growth);
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
      if (answer.status >= 300) return { why: refusal(answer), isFinal: [401, 403].includes(answer.status) };
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
      if (String(item[search.field]).startsWith(`${side.prefix}-`)) found.push({ name: String(item.name) });
    }
    pageToken = String(body.nextPageToken ?? "");
  } while (pageToken !== "");
  return found;
}

function refusal({ status, body }: Answer): string {
  const { error } = body as { readonly error?: { readonly message?: string } };
  return `HTTP ${status}: ${error?.message ?? "no message"}`;
}
