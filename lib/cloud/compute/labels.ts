import { invalidValue } from "./refusals";

const mostLabels = 64;
const key = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const value = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

/** Checks labels. @throws CloudError for labels that the service rejects */
export function checkLabels(labels: unknown): void {
  const entries = Object.entries((labels ?? {}) as Readonly<Record<string, unknown>>);
  if (entries.length > mostLabels)
    throw invalidValue("labels", `${entries.length} labels`, `At most ${mostLabels} are allowed.`);
  const bad = entries.find(([name, text]) => !key.test(name) || !value.test(String(text)));
  if (bad !== undefined)
    throw invalidValue(
      `labels.${bad[0].slice(0, 100)}`,
      String(bad[1]),
      "Labels are lower-case letters, digits, '_' and '-', at most 63; a key begins with a letter.",
    );
}
