import { type Answer, whileAnswered } from "../../lib/dns";

const silent: Answer = { ok: false, detail: "ETIMEOUT" };

test.each<[string, readonly Answer[], number, number]>([
  ["stops after eight questions without an answer, and counts the others as unanswered", Array(20).fill(silent), 8, 20],
  ["goes on after an answer", [...Array(7).fill(silent), { ok: true, data: [] }, ...Array(7).fill(silent)], 15, 14],
  ["takes the failure of a server for an answer", Array(20).fill({ ok: false, detail: "ESERVFAIL" }), 20, 0],
])("%s", async (_, answers, expected, unanswered) => {
  let asked = 0;
  const { lookUp, counts } = whileAnswered(async () => answers[asked++] ?? silent);
  for (const _ of answers) await lookUp("example.com", "CAA");
  expect([asked, counts()]).toEqual([expected, { asked: answers.length, unanswered }]);
  if (expected < answers.length)
    expect(await lookUp("example.com", "CAA")).toEqual({ ok: false, detail: "no DNS server answers" });
});
