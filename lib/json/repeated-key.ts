/** A text, or a sign of JSON's structure. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs;

/**
 * Returns the index of the first key that occurs a second time in its object; undefined if there is none. `JSON.parse`
 * keeps only the last value of a key, whereas Terraform reads each value as a further block.
 *
 * @param text valid JSON
 */
export function repeatedKeyIn(text: string): number | undefined {
  const objects: (Set<string> | undefined)[] = [];
  let last: RegExpExecArray | undefined;
  for (const found of text.matchAll(token)) {
    const [sign] = found;
    if (sign === "{") objects.push(new Set());
    else if (sign === "[") objects.push(undefined);
    else if (sign === "}" || sign === "]") objects.pop();
    else if (sign === ":" && last !== undefined) {
      const key = JSON.parse(last[0]) as string;
      const keys = objects.at(-1);
      if (keys?.has(key)) return last.index;
      keys?.add(key);
    }
    last = found;
  }
  return undefined;
}
