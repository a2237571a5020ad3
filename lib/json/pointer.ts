/** Further steps of a JSON pointer (RFC 6901), escaped. */
export function pointerTo(parent: string, ...steps: readonly (string | number)[]): string {
  let pointer = parent;
  for (const step of steps) {
    const key = String(step);
    // Hardly any key needs it.
    pointer += `/${/[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
  }
  return pointer;
}

/** The steps of a JSON pointer (RFC 6901), as they were before they were escaped; none of the empty pointer. */
export function stepsOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
