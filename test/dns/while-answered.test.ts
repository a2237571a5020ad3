import { type Answer, whileAnswered } from "../../lib/dns";

const silent: Answer = { ok: false, detail: "ETIMEOUT" };

test.each<[string, readonly Answer[], number, number]>([
  ["stops after eight questions without an answer, and reports it once", Array(20).fill(silent), 8, 1],
  ["goes on after an answer", [...Array(7).fill(silent), { ok: true, data: [] }, ...Array(7).fill(silent)], 15, 0],
  ["takes the failure of a server for an answer", Array(20).fill({ ok: false, detail: "ESERVFAIL" }), 20, 0],
])("%s", async (_, answers, expected, silences) => {
  let asked = 0;
  const onSilence = jest.fn();
  const lookUp = whileAnswered(async () => answers[asked++] ?? silent, onSilence);
  for (const _ of answers) await lookUp("example.com", "CAA");
  expect([asked, onSilence.mock.calls.length]).toEqual([expected, silences]);
  if (silences > 0) expect(await lookUp("example.com", "CAA")).toEqual({ ok: false, detail: "no DNS server answers" });
});
