import { checkChallenge } from "../../../lib/live/doctor/challenge-checks";

type Options = Parameters<typeof checkChallenge>[1];

const challenge = "_acme-challenge.shop.example.com";
const own = "1.2.authorize.certificatemanager.goog";

/** Checks a challenge whose name has CNAMEs with these targets. */
async function check(...targets: readonly string[]) {
  const records = targets.map((data) => ({ name: challenge, type: "CNAME", ttlSeconds: 60, data }));
  const dns = {
    resolve: async (name: string) => ({
      ok: true,
      exists: true,
      chain: [],
      records: name === challenge ? records : [],
    }),
  };
  const options = {
    dns,
    delegationOf: async () => ({ ok: true, apex: "example.com", nameServers: ["ns.example.com"] }),
    zone: "example.com",
    targetsOfProject: new Set(),
  } as unknown as Options;
  const { findings } = await checkChallenge(
    { domain: "shop.example.com", challenge, target: own, published: "external" },
    options,
  );
  return findings.map(({ code, message, remedy }) => ({ code, message, remedy }));
}

test.each([
  ["the right CNAME and another", [own, "dcv.example.org"]],
  ["two CNAMEs of other services", ["dcv.example.net", "dcv.example.org"]],
])("reports %s at one name", async (_, targets) => {
  expect(await check(...targets)).toEqual([
    {
      code: "challenge-wrong",
      message: `${challenge} has several CNAMEs: ${targets.join(", ")}`,
      remedy: `remove every CNAME of ${challenge}. except the CNAME to ${own}.: DNS allows one CNAME at a name`,
    },
  ]);
});

test("accepts the right CNAME, also if the answer has it twice", async () => {
  expect(await check(own)).toEqual([]);
  expect(await check(own, own)).toEqual([]);
});
