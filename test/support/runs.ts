const factor = Number(process.env.PROPERTY_FACTOR ?? 1);

/**
 * Returns the number of random inputs of a property.
 *
 * @param numRuns in `npm test`; the robustness suite multiplies it
 */
export function runs(numRuns: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(numRuns * factor) };
}
