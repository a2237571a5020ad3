import type { ValidationLookUp } from "../../../lib/cloud/certificate-manager";
import { withSharedLookUps } from "../../../lib/cloud/certificate-manager/domain-validation";

function countingLookUp() {
  const asked: string[] = [];
  const lookUp: ValidationLookUp = async (name, type) => {
    asked.push(`${name} ${type}`);
    return { rcode: "NOERROR", data: [String(asked.length)] };
  };
  return { asked, lookUp };
}

const ask = (names: readonly string[]) => (lookUp: ValidationLookUp) =>
  Promise.all(names.map((name) => lookUp(name, "CAA")));

describe("concurrent look-ups", () => {
  it("are shared between callers at the same time", async () => {
    const { asked, lookUp } = countingLookUp();
    const answers = await Promise.all([
      withSharedLookUps(lookUp, "now", ask(["a.", "b."])),
      withSharedLookUps(lookUp, "now", ask(["b.", "c."])),
    ]);
    expect(asked.sort()).toEqual(["a. CAA", "b. CAA", "c. CAA"]);
    expect(answers[0][1]).toBe(answers[1][0]);
  });

  it.each<[what: string, moments: readonly [string, string], other: boolean]>([
    ["another moment", ["now", "later"], false],
    ["another server", ["now", "now"], true],
  ])("are not shared with %s", async (_what, [one, two], other) => {
    const { asked, lookUp } = countingLookUp();
    const second: ValidationLookUp = other ? (name, type) => lookUp(name, type) : lookUp;
    await Promise.all([withSharedLookUps(lookUp, one, ask(["a."])), withSharedLookUps(second, two, ask(["a."]))]);
    expect(asked).toEqual(["a. CAA", "a. CAA"]);
  });

  it("are removed when they end, also after a failure", async () => {
    const { asked, lookUp } = countingLookUp();
    await withSharedLookUps(lookUp, "now", ask(["a."]));
    const fail = () => Promise.reject(new Error("broken"));
    await expect(withSharedLookUps(lookUp, "now", fail)).rejects.toThrow("broken");
    await withSharedLookUps(lookUp, "now", ask(["a."]));
    expect(asked).toEqual(["a. CAA", "a. CAA"]);
  });
});
