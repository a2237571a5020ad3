import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { ApiDescription } from "../api-description";
import type { DescriptionDocument } from "../document";
import { ownDescription } from "../own-descriptions";

export interface CatalogueEntry {
  readonly description: ApiDescription;
  readonly id: string;
  readonly path: string;
  readonly preferred: boolean;
}

export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

/**
 * Creates the catalog of a service. Adds the service's description of itself if it is missing.
 *
 * @param preferred ids of the recommended versions
 * @throws {@link InputError} with every description that cannot be served
 */
export function createCatalogue(
  given: Iterable<ApiDescription | DescriptionDocument>,
  preferred: Iterable<string>,
): Catalogue {
  const problems: Problem[] = [];
  const byId = new Map<string, { readonly description: ApiDescription; readonly path: string }>();
  for (const [index, one] of [...given, undefined].entries()) {
    if (one === undefined && byId.has("discovery:v1")) continue;
    const description = collect(problems, `description ${index + 1}`, () => read(one));
    if (description === undefined) continue;
    const id = `${description.name}:${description.version}`;
    const path = collect(problems, quote(id), () => pathOf(description));
    if (byId.has(id)) {
      const message = `two descriptions are of ${quote(id)}: a service has one of each name and version, leave one out`;
      problems.push({ code: "description-duplicate", message });
    } else if (path !== undefined) byId.set(id, { description, path });
  }
  const chosen = new Set(preferred);
  for (const id of chosen) {
    if (byId.has(id)) continue;
    const message = `${quote(id)} can't be preferred: the description does not exist; use NAME:VERSION`;
    problems.push({ code: "preferred-unknown", message });
  }
  if (problems.length > 0) throw new InputError(problems);
  return withPreferences(byId, chosen);
}

function read(given: ApiDescription | DescriptionDocument | undefined): ApiDescription {
  if (given === undefined) return ownDescription("discovery:v1");
  return given instanceof ApiDescription ? given : ApiDescription.parse(given);
}

/** Returns the path of a description. Throws if no address can be made, before a client requests the list. */
function pathOf({ name, version }: ApiDescription): string {
  const root = "http://localhost/";
  const parameters = { api: name, version };
  const { url } = ownDescription("discovery:v1").request("discovery.apis.getRest", { parameters, endpoint: root });
  return url.slice(root.length);
}

function collect<T>(problems: Problem[], which: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems.map(({ code, message }) => ({ code, message: `${which}: ${message}` })));
    return undefined;
  }
}

function withPreferences(
  byId: ReadonlyMap<string, { readonly description: ApiDescription; readonly path: string }>,
  chosen: ReadonlySet<string>,
): Catalogue {
  const idsByName = new Map<string, string[]>();
  for (const [id, { description }] of byId) {
    idsByName.set(description.name, [...(idsByName.get(description.name) ?? []), id]);
  }
  const entries = [...idsByName].sort(byText).flatMap(([name, ids]) => {
    const versions = ids.map((id) => id.slice(name.length + 1));
    const chosenIds = ids.filter((id) => chosen.has(id));
    const preferred = new Set(chosenIds.length > 0 ? chosenIds : [`${name}:${newestVersion(versions)}`]);
    return ids.sort().map((id) => ({ id, preferred: preferred.has(id), ...byId.get(id)! }));
  });
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function byText([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

interface VersionRank {
  readonly stable: boolean;
  /** Numbers of the version: `v1p2beta1` has 1, 2; `v2.4` has 2, 4. */
  readonly numbers: readonly number[];
  /** Stage: 3 for a stable version, 2 for beta, 1 for alpha, 0 for anything else. */
  readonly stage: number;
  readonly step: number;
}

const stages: Readonly<Record<string, number>> = { beta: 2, alpha: 1 };

/** Parses a version's name, for example `v1`, `v1.4`, `v2p1beta3`, `alpha`, `directory_v1`. */
function rankOf(version: string): VersionRank {
  const match = /^(?:[a-z0-9]+_)?(?:v(\d{1,9}(?:[._p]\d{1,9}){0,5}))?(?:([a-z]+)(\d{0,9}))?$/i.exec(version);
  const [, numbers, stage, step] = match ?? [];
  const stable = numbers !== undefined && stage === undefined;
  return {
    stable,
    numbers: numbers === undefined ? [] : numbers.split(/[._p]/i).map(Number),
    stage: stable ? 3 : (stages[stage?.toLowerCase() ?? ""] ?? 0),
    step: Number(step || 0),
  };
}

/** Compares versions by age: stable versions are newest, then the numbers decide, then beta is newer than alpha. */
export function compareApiVersions(a: string, b: string): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  return (
    Number(first.stable) - Number(second.stable) ||
    compareNumbers(first.numbers, second.numbers) ||
    first.stage - second.stage ||
    first.step - second.step ||
    // The order of the names decides between equal ranks, for example directory_v1 and reports_v1.
    (a < b ? 1 : a > b ? -1 : 0)
  );
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find(
    (index) => (a[index] ?? 0) !== (b[index] ?? 0),
  );
  return at === undefined ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

export function newestVersion(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareApiVersions).at(-1);
}
