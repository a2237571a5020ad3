import { allShares, parts } from "../support/discovery-fuzz";

/** The robustness suite tries far more. */
const inputs = 1_500;

describe("nothing hangs, and nothing is thrown but what tells the mistake:", () => {
  test.each(Object.entries(parts))("%s", (_, { share, property }) => {
    const seed = Math.floor(Math.random() * 2 ** 31);

    expect(() => property(Math.ceil((inputs * share) / allShares), seed)).not.toThrow();
  });
});
