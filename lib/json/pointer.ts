/** Appends escaped steps to a JSON pointer (RFC 6901). */
export function pointerTo(parent: string, ...steps: readonly (string | number)[]): string {
  let pointer = parent;
  for (const step of steps) {
    const key = String(step);
    // Only few keys need escaping, so the test saves time.
    pointer += `/${/[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
  }
  return pointer;
}

/** Returns the unescaped steps of a JSON pointer (RFC 6901); the empty pointer has no steps. */
export function stepsOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
