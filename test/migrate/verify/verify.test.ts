import { type Handshake, type VerifyOptions, verifyServing } from "../../../lib/migrate";

const ok: Handshake = {
  ok: true,
  protocol: "TLSv1.3",
  certificate: { issuer: "CN=Root", serialNumber: "1", notAfter: "2060-01-01T00:00:00.000Z" },
};
const refused: Handshake = { ok: false, code: "handshake-refused", detail: "alert" };

function options(
  answers: readonly Handshake[],
  change: Partial<VerifyOptions> = {},
): VerifyOptions & { readonly asked: string[] } {
  let time = 0;
  let at = 0;
  const asked: string[] = [];
  return {
    asked,
    hostnames: ["example.com"],
    addresses: ["203.0.113.7"],
    shakeHands: async (address, hostname) => {
      asked.push(`${hostname} ${address}`);
      const answer = answers[Math.min(at, answers.length - 1)] as Handshake;
      at += 1;
      return answer;
    },
    signal: new AbortController().signal,
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds;
    },
    random: () => 0.5,
    ...change,
  };
}

test("a name is good after three good handshakes in a row, not in all", async () => {
  const given = options([ok, ok, refused, ok, ok, ok]);
  expect((await verifyServing(given)).map((result) => result.ok)).toEqual([true]);
  expect(given.asked).toHaveLength(6);
});

test("a name that stays bad is told with its remedy when the time is over", async () => {
  const given = options([refused], { withinMs: 20_000 });
  const [result] = await verifyServing(given);
  expect(result).toMatchObject({ ok: false, code: "handshake-refused", remedy: expect.stringContaining("map entry") });
  expect(given.asked).toHaveLength(4);
});

test("every name is asked for at every address", async () => {
  const given = options([ok], {
    hostnames: ["a.example.com", "*.example.com"],
    addresses: ["203.0.113.7", "2001:db8::7"],
    repeat: 1,
  });
  await verifyServing(given);
  expect(given.asked.sort()).toEqual([
    "a.example.com 2001:db8::7",
    "a.example.com 203.0.113.7",
    expect.stringMatching(/^probe-[0-9a-z]{8}\.example\.com 2001:db8::7$/),
    expect.stringMatching(/^probe-[0-9a-z]{8}\.example\.com 203\.0\.113\.7$/),
  ]);
});

test("a dead name holds up no other", async () => {
  const order: string[] = [];
  const given = options([ok], {
    hostnames: ["dead.example.com", "a.example.com", "b.example.com"],
    concurrency: 2,
    repeat: 1,
    shakeHands: async (_, hostname) => {
      if (hostname.startsWith("dead")) await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      return ok;
    },
    onResult: ({ hostname }) => order.push(hostname),
  });
  const results = await verifyServing(given);
  expect(order).toEqual(["a.example.com", "b.example.com", "dead.example.com"]);
  expect(results.map(({ hostname }) => hostname)).toEqual(["dead.example.com", "a.example.com", "b.example.com"]);
});
