import { allShares, parts } from "../support/discovery-fuzz";

const inputs = Number(process.env.INPUTS ?? 20_000);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

beforeAll(() => {
  console.log(`seed ${seed}, ${inputs} inputs; again with SEED=${seed}`);
});

describe("terminates, and throws only errors that describe the mistake:", () => {
  test.each(Object.entries(parts))(
    "%s",
    (_, { share, property }) => {
      expect(() => property(Math.ceil((inputs * share) / allShares), seed)).not.toThrow();
    },
    600_000,
  );
});
