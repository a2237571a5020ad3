import type { DnsView } from "../../lib/dns";
import { checkChallenge } from "../../lib/live/doctor/challenge-checks";

/**
 * CNAME records of challenges that DNS forms changed: a target without its trailing dot, a name with the zone twice.
 */
const challenge = "_acme-challenge.shop.com";
const target = "abc.1.authorize.certificatemanager.goog";

async function codesOf(name: string, data: string) {
  const resolve = async (asked: string, type: string) => {
    const records = asked === name && type === "CNAME" ? [{ name, type, data, ttlSeconds: 300 }] : [];
    return { ok: true, records, chain: [] };
  };
  const delegation = { ok: true, apex: "shop.com", nameServers: ["ns.shop.com"], from: "parent" } as const;
  const { findings } = await checkChallenge(
    { domain: "shop.com", challenge, target, published: "external" },
    {
      dns: { resolve } as unknown as DnsView,
      delegationOf: async () => delegation,
      zone: "shop.com",
      targetsOfProject: new Set([target]),
      unusedLabel: "nobody",
    },
  );
  return findings.map(({ code, remedy }) => `${code} ${/trailing dot/.test(remedy ?? "")}`);
}

it.each([
  ["finds a target without its trailing dot", challenge, `${target}.shop.com`, ["challenge-wrong true"]],
  ["finds a name with the zone twice", `${challenge}.shop.com`, target, ["challenge-doubled true"]],
  ["finds both at once", `${challenge}.shop.com`, `${target}.shop.com`, ["challenge-doubled true"]],
  ["finds a target of another provider", challenge, "abc.acme.example", ["challenge-cname-elsewhere false"]],
  ["accepts the target", challenge, target, []],
])("%s", async (_, name, data, expected) => {
  expect(await codesOf(name, data)).toEqual(expected);
});
