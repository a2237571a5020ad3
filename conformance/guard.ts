import { BugError } from "../lib/errors";
import type { Identity } from "./normalize";
import { isOwnRecord, isOwnResource, isOwnTarget } from "./own";
import { kindCreatedBy, type Parameters } from "./resource-kinds";

/** Methods that are POST requests and change nothing. */
const readingVerbs = new Set(["testIamPermissions", "getIamPolicy", "fetchCaCerts", "wait", "validate", "getHealth"]);
const readingMethods = new Set(["logging.entries.list"]);

export function isChange(httpMethod: string, id: string): boolean {
  if (httpMethod === "GET" || readingMethods.has(id)) return false;
  return !readingVerbs.has(id.slice(id.lastIndexOf(".") + 1));
}

interface Change {
  readonly id: string;
  readonly parameters: Parameters;
  readonly body: unknown;
  readonly run: Identity;
}

type Sets = readonly { readonly name?: unknown }[];

/** Parameters that do not name a resource. */
const others = new Set(["updateMask", "fields", "requestId", "etag", "validateOnly"]);

/** Refuses a change of a resource that is not of the run, before anything is sent. @throws BugError */
export function checkOwn({ id, parameters, body, run }: Change): void {
  const kind = kindCreatedBy(id);
  if (kind === undefined && /\.(?:create|insert|createAsync)$/.test(id)) {
    throw new BugError(`${id} creates a resource that no row of conformance/resource-kinds.ts deletes`);
  }
  const content = (body ?? {}) as Readonly<Record<string, unknown>>;
  const targets = kind === undefined ? [targetOf(parameters)] : kind.targets(parameters, content);
  const isOwn = targets.every((target) =>
    kind === undefined ? isOwnTarget(target, run) : isOwnResource({ createdBy: id, target }, run),
  );
  const { additions, deletions, displayName } = content as {
    readonly additions?: Sets;
    readonly deletions?: Sets;
    readonly displayName?: unknown;
  };
  for (const { name } of [...(additions ?? []), ...(deletions ?? [])]) {
    if (!isOwnRecord(String(name), run)) {
      throw new BugError(`${id} would change the records of ${name}, which is not below ${run.prefix}.${run.domain}`);
    }
  }
  const label =
    String(displayName ?? content.name)
      .split("/")
      .at(-1) ?? "";
  const isNamed = kind?.search === undefined || label.startsWith(`${run.prefix}-`);
  if (!isNamed || !isOwn) {
    const named = JSON.stringify([targets, displayName]).slice(0, 300);
    throw new BugError(`${id} would change a resource without the prefix ${run.prefix}: ${named}`);
  }
}

function targetOf(parameters: Parameters): Readonly<Record<string, string>> {
  const named = Object.entries(parameters).filter(([name, value]) => typeof value === "string" && !others.has(name));
  return Object.fromEntries(named) as Readonly<Record<string, string>>;
}
