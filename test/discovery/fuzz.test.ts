import { allShares, parts } from "../support/discovery-fuzz";

/** The robustness suite tries far more. */
const inputs = 600;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("nothing hangs, and nothing is thrown but what tells the mistake:", () => {
  test.each(Object.entries(parts))("%s", (_, { share, property }) => {
    expect(() => property(Math.ceil((inputs * share) / allShares), seed)).not.toThrow();
  });
});
