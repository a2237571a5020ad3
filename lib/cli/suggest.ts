import { editDistance } from "../text/edit-distance";
import { quote } from "../text/quote";

/**
 * Returns suggestions for a mistyped name: known names that differ by a few letters or begin with it. Separators are
 * ignored (`check plan` for `check-plan`), and the group may be missing (`request` for `api request`).
 *
 * @returns the nearest names, in the order of `known`; at most three
 */
export function suggest(typed: readonly string[], known: readonly string[]): readonly string[] {
  const scored = known
    .map((name) => ({ name, score: scoreOf(typed, name) }))
    .filter(({ score }) => score !== undefined);
  const best = Math.min(...scored.map(({ score = 0 }) => score));
  return scored.flatMap(({ name, score }) => (score === best ? [name] : [])).slice(0, 3);
}

/** Returns the advice for a mistyped name: suggestions, or else where the known names are listed. */
export function adviceOn(typed: string, known: readonly string[], whereListed: string): string {
  const near = suggest([typed], known);
  return near.length === 0 ? whereListed : `did you mean ${near.map(quote).join(" or ")}?`;
}

/** Returns the distance between a name and the typed words; `undefined` if they are unrelated. */
function scoreOf(typed: readonly string[], name: string): number | undefined {
  const meant = [bare(name), bare(name.split(" ").at(-1) ?? name)];
  const [first = ""] = typed;
  const whole = bare(typed.join(""));
  const scores = meant.flatMap((known) => {
    // A match of all words outranks a match of the first word.
    const ofFirst = typed.length > 1 ? nearness(bare(first), known) : undefined;
    return [nearness(whole, known) ?? [], ofFirst === undefined ? [] : ofFirst + 0.5].flat();
  });
  return scores.length === 0 ? undefined : Math.min(...scores);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

function nearness(said: string, known: string): number | undefined {
  // A large difference in length is not a typing error, and computing the distance would waste time.
  const distance = Math.abs(said.length - known.length) > 3 ? Number.POSITIVE_INFINITY : editDistance(said, known);
  if (distance <= Math.max(1, Math.floor(Math.min(said.length, known.length) / 3))) return distance;
  return said.length >= 2 && known.startsWith(said) ? 2 : undefined;
}
