/** What a version's name tells, in the order in which it counts. */
interface VersionRank {
  readonly stable: boolean;
  /** `v1p2beta1` is 1, 2; `v2.4` is 2, 4. */
  readonly numbers: readonly number[];
  /** 2 for beta, 1 for alpha, 0 for anything else; a stable version has 3. */
  readonly stage: number;
  /** The number after the stage. */
  readonly step: number;
}

const stages: Readonly<Record<string, number>> = { beta: 2, alpha: 1 };

/** Names are like `v1`, `v1.4`, `v2p1beta3`, `alpha`, `directory_v1`; what is not counts as early. */
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

/**
 * Compares two versions of an API by how new they are: a stable one comes after all that are not, then numbers count,
 * then beta after alpha.
 *
 * @returns negative where `a` is older; never 0 for different names
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  return (
    Number(first.stable) - Number(second.stable) ||
    compareNumbers(first.numbers, second.numbers) ||
    first.stage - second.stage ||
    first.step - second.step ||
    // Something has to decide between directory_v1 and reports_v1.
    (a < b ? 1 : a > b ? -1 : 0)
  );
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find(
    (index) => (a[index] ?? 0) !== (b[index] ?? 0),
  );
  return at === undefined ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The newest of some versions, a stable one where there is one. */
export function newestVersion(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareVersions).at(-1);
}
