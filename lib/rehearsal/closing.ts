/** A list of cleanup functions, which run in reverse order. */
export interface Closing {
  /** Adds a cleanup function. @param end ends something that was started */
  readonly add: (end: () => unknown) => void;
  /** Runs all cleanup functions. A failure does not stop the others; the first failure is thrown at the end. */
  readonly close: () => Promise<void>;
}

export function createClosing(): Closing {
  const ends: (() => unknown)[] = [];
  return {
    add: (end) => void ends.push(end),
    close: async () => {
      const failures: unknown[] = [];
      for (const end of ends.splice(0).reverse()) {
        try {
          await end();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
