import { emitTo, type RehearsalObserver } from "../../lib/rehearsal/observer";

test("passes each event on to every observer of its name, in their order", () => {
  const calls: unknown[] = [];
  const observer = (name: string): RehearsalObserver => ({ issued: (event) => calls.push([name, event]) });
  const emit = emitTo([observer("first"), { certificate: () => calls.push("another event") }, observer("second")]);
  const event = { time: "2026-11-21T00:00:00Z", domains: ["a.example.com"] };
  emit("issued", event);
  expect(calls).toEqual([
    ["first", event],
    ["second", event],
  ]);
});
