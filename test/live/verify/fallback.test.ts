import type { Handshake, ServedCertificate, VerifyResult } from "../../../lib/live/verify";
import { probeFallbacks, unconfirmedFindings } from "../../../lib/live/verify/findings";
import type { PlannedCertificates } from "../../../lib/live/verify/planned";

const refused: Handshake = { ok: false, code: "handshake-refused", detail: "alert unrecognized_name" };
const silent: Handshake = { ok: false, code: "timeout", detail: "nothing within 10 s" };
const certificate: ServedCertificate = {
  issuer: "CN=Root",
  serialNumber: "1",
  notBefore: "2020-01-01T00:00:00.000Z",
  notAfter: "2060-01-01T00:00:00.000Z",
  keyType: "ecdsa-p256",
  fingerprintSha256: "aa",
  dnsNames: ["example.com"],
};
const served: Handshake = { ok: true, protocol: "TLSv1.3", certificate };

test.each<readonly [string, boolean | undefined, Handshake, readonly string[]]>([
  ["is refused although the map has a PRIMARY entry", true, refused, ["primary-not-served", "primary-not-served"]],
  ["is refused as expected if the map has no PRIMARY entry", false, refused, []],
  ["is refused, and the map is unknown", undefined, refused, []],
  // A silent address is reported with its hostnames.
  ["gets no answer", true, silent, []],
  [
    "gets a certificate although the map has no PRIMARY entry",
    false,
    served,
    ["unplanned-fallback", "unplanned-fallback"],
  ],
])("a client without SNI %s", async (_, hasPrimary, answer, expected) => {
  const asked: (string | null)[] = [];
  const target = { address: "203.0.113.7", ...(hasPrimary === undefined ? {} : { hasPrimary }) };
  const { fallbacks, findings } = await probeFallbacks({
    targets: [target],
    shakeHands: async (_address, name) => {
      asked.push(name);
      return answer;
    },
    random: () => 0.5,
  });
  expect(findings.map(({ code }) => code)).toEqual(expected);
  expect(fallbacks.map(({ client }) => client)).toEqual(["no-sni", "unknown-name"]);
  expect(asked).toEqual([null, expect.stringMatching(/\.invalid$/)]);
});

describe("the certificate of the PRIMARY entry", () => {
  const name = "projects/p/locations/global/certificates/primary";
  const planned = (fingerprintSha256: string): PlannedCertificates => ({
    of: (names) =>
      names.map((name) => ({
        name,
        state: "ACTIVE",
        facts: { fingerprintSha256, serialNumber: "2", keyType: "ecdsa-p256" },
      })),
    refresh: async () => {},
  });
  const findingsFor = async (plan: PlannedCertificates | undefined, answer: Handshake, names?: readonly string[]) => {
    const { findings, fallbacks } = await probeFallbacks({
      targets: [{ address: "203.0.113.7", hasPrimary: true, ...(names && { planned: names }) }],
      shakeHands: async () => answer,
      random: () => 0.5,
      ...(plan && { planned: plan }),
    });
    return { messages: [...new Set(findings.map(({ code, message }) => `${code}: ${message}`))], fallbacks };
  };

  test.each<[string, PlannedCertificates | undefined, readonly string[] | undefined, number]>([
    ["is the planned certificate", planned("aa"), [name], 0],
    ["is another than the planned certificate", planned("bb"), [name], 2],
    ["has nothing to be compared with", undefined, [name], 0],
    ["is not named by the plan", planned("bb"), undefined, 0],
  ])("%s", async (_, plan, names, expected) => {
    const { messages, fallbacks } = await findingsFor(plan, served, names);
    expect(messages).toHaveLength(expected);
    expect(fallbacks.every((fallback) => fallback.certificate === certificate && !("detail" in fallback))).toBe(true);
  });

  test.each<[string, readonly string[], string]>([
    ["its names", ["a.example", "b.example"], "a certificate for a.example, b.example, serial 1"],
    ["its first five names", ["a", "b", "c", "d", "e", "f"], "a certificate for a, b, c, d, e, serial 1"],
    ["that it has no name", [], "a certificate for no name, serial 1"],
  ])("is reported with %s", async (_, dnsNames, expected) => {
    const { messages } = await findingsFor(planned("bb"), { ...served, certificate: { ...certificate, dnsNames } }, [
      name,
    ]);
    expect(messages).toEqual([expect.stringContaining(expected), expect.stringContaining(expected)]);
  });

  test("is missing, with what the address answered", async () => {
    const { fallbacks } = await findingsFor(undefined, refused);
    expect(fallbacks.map(({ detail }) => detail)).toEqual([
      "handshake-refused (alert unrecognized_name)",
      "handshake-refused (alert unrecognized_name)",
    ]);
  });
});

test("reports the addresses that sent nothing after the handshake, with up to three of their hostnames", () => {
  const result = (hostname: string, address: string, confirmed: boolean): VerifyResult => ({
    ok: true,
    hostname,
    address,
    handshakes: 1,
    bad: 0,
    protocol: "TLSv1.3",
    certificate,
    confirmed,
  });
  const findings = unconfirmedFindings([
    result("a.example", "203.0.113.7", true),
    ...["b", "c", "d", "e"].map((label) => result(`${label}.example`, "203.0.113.7", false)),
    result("f.example", "203.0.113.8", false),
    ...["g", "h", "i"].map((label) => result(`${label}.example`, "203.0.113.9", false)),
  ]);
  expect(findings.map(({ subject, message }) => [subject, message.replace(/^.* for /, "")])).toEqual([
    ["203.0.113.7", "b.example, c.example, d.example and 1 other hostname"],
    ["203.0.113.8", "f.example"],
    ["203.0.113.9", "g.example, h.example, i.example"],
  ]);
});
