import { editDistance } from "../text/edit-distance";
import { quote } from "../text/quote";

/**
 * What a mistyped name may have meant: known names that differ by a few letters, begin with it, or are it in other words (`check plan` for
 * `check-plan`, `request` for `api request`).
 *
 * @returns the nearest ones, in the order in which they are known; three at most
 */
export function suggest(typed: readonly string[], known: readonly string[]): readonly string[] {
  const scored = known
    .map((name) => ({ name, score: scoreOf(typed, name) }))
    .filter(({ score }) => score !== undefined);
  const best = Math.min(...scored.map(({ score = 0 }) => score));
  return scored.flatMap(({ name, score }) => (score === best ? [name] : [])).slice(0, 3);
}

/** What a message says of a mistyped name: what it may have meant, or else where the known ones stand. */
export function adviceOn(typed: string, known: readonly string[], whereListed: string): string {
  const near = suggest([typed], known);
  return near.length === 0 ? whereListed : `did you mean ${near.map(quote).join(" or ")}?`;
}

/** How far a name is from what was typed; `undefined` where it is another. */
function scoreOf(typed: readonly string[], name: string): number | undefined {
  const meant = [bare(name), bare(name.split(" ").at(-1) ?? name)];
  const [first = ""] = typed;
  const whole = bare(typed.join(""));
  const scores = meant.flatMap((known) => {
    // What fits all of the words fits better than what fits the first of them.
    const ofFirst = typed.length > 1 ? nearness(bare(first), known) : undefined;
    return [nearness(whole, known) ?? [], ofFirst === undefined ? [] : ofFirst + 0.5].flat();
  });
  return scores.length === 0 ? undefined : Math.min(...scores);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

function nearness(said: string, known: string): number | undefined {
  // What is a word's length apart can't be a slip, and must not cost time.
  const distance = Math.abs(said.length - known.length) > 3 ? Number.POSITIVE_INFINITY : editDistance(said, known);
  if (distance <= Math.max(1, Math.floor(Math.min(said.length, known.length) / 3))) return distance;
  return said.length >= 2 && known.startsWith(said) ? 2 : undefined;
}
