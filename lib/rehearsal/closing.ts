/** What is ended together, the last that was begun first. */
export interface Closing {
  /** @param end what ends something that has begun */
  readonly add: (end: () => unknown) => void;
  /** Ends all of it: what fails keeps nothing else from being ended, and the first failure is thrown then. */
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
