/** Parts of a version's name, in the order of their significance. */
interface VersionRank {
  readonly stable: boolean;
  /** Numbers of the version: `v1p2beta1` has 1, 2; `v2.4` has 2, 4. */
  readonly numbers: readonly number[];
  /** Stage: 3 for a stable version, 2 for beta, 1 for alpha, 0 for anything else. */
  readonly stage: number;
  /** The number after the stage. */
  readonly step: number;
}

const stages: Readonly<Record<string, number>> = { beta: 2, alpha: 1 };

/**
 * Parses a version's name, for example `v1`, `v1.4`, `v2p1beta3`, `alpha`, `directory_v1`. Other names rank as early
 * versions.
 */
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
 * Compares two versions of an API by age. Stable versions are newer than all others; then the numbers decide, then beta
 * is newer than alpha.
 *
 * @returns negative if `a` is older; never 0 for different names
 */
export function compareVersions(a: string, b: string): number {
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

/** Returns the newest version; the newest stable version if there is one. */
export function newestVersion(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareVersions).at(-1);
}
