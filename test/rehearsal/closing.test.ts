import { createClosing } from "../../lib/rehearsal/closing";

test("closes everything in reverse order even if some closings fail, and throws the first error", async () => {
  const ended: string[] = [];
  const closing = createClosing();
  closing.add(() => void ended.push("cloud"));
  closing.add(async () => {
    ended.push("provider");
    throw new Error("provider");
  });
  closing.add(() => {
    throw new Error("prober");
  });
  closing.add(async () => void ended.push("operator"));
  await expect(closing.close()).rejects.toThrow("prober");
  expect(ended).toEqual(["operator", "provider", "cloud"]);
});

test("closes nothing twice", async () => {
  let times = 0;
  const closing = createClosing();
  closing.add(() => {
    times += 1;
  });
  await closing.close();
  await closing.close();
  expect(times).toBe(1);
});
