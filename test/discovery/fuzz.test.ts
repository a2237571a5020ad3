import { allShares, parts } from "../support/discovery-fuzz";

/** The robustness suite has many more runs. */
const inputs = 600;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("terminates, and throws only errors that describe the mistake:", () => {
  test.each(Object.entries(parts))("%s", (_, { share, property }) => {
    expect(() => property(Math.ceil((inputs * share) / allShares), seed)).not.toThrow();
  });
});
