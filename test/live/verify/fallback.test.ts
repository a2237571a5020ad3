import type { Handshake, ServedCertificate } from "../../../lib/live/verify";
import { probeFallbacks } from "../../../lib/live/verify/findings";

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
