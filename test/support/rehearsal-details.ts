import type { RehearsalRecord } from "../../lib/report";

type Details = Required<Pick<RehearsalRecord["result"], "rehearsed" | "timeline">>;
type Run = Details["timeline"]["hostnames"][number]["runs"][number];
type Word = (usual: string) => string;
/** Returns the time of a minute of the rehearsal. */
type Time = (minute: number) => string;

const digest = (letter: string) => letter.repeat(64);

/**
 * Returns details of a rehearsal with every kind of event and server. Every 40th hostname has failed handshakes.
 *
 * @param t0 beginning, in milliseconds since 1970
 */
export function rehearsalDetails(hostnames: readonly string[], t0: number, word: Word = (usual) => usual): Details {
  const at: Time = (minute) => new Date(t0 + minute * 60_000).toISOString();
  const certificate = (side: "previous" | "loadBalancer", sha256: string, names: readonly string[]) => ({
    sha256,
    side,
    names,
    issuer: word(side === "previous" ? "CN=Old CA" : "CN=WR3, O=Google Trust Services"),
    keyType: side === "previous" ? "ecdsa-p256" : "rsa-2048",
    notBefore: at(-10_000),
    notAfter: at(side === "previous" ? 30_000 : 129_600),
  });
  return {
    rehearsed: rehearsedOf(hostnames, at, word),
    timeline: {
      from: at(0),
      until: at(120),
      events: [
        { kind: "apply", from: at(5), until: at(20), what: word("terraform apply"), ok: false },
        { kind: "kill", from: at(20), what: word("terraform apply was killed") },
        { kind: "import", from: at(21), until: at(22), what: word("terraform import x.y"), ok: true },
        { kind: "apply", from: at(23), until: at(50), what: word("terraform apply"), ok: true },
        { kind: "gate", from: at(25), until: at(40), what: word("terraform_data.gate"), ok: true },
        {
          kind: "certificate-active",
          from: at(39),
          what: word("certificate for all"),
          hostnames: hostnames.slice(0, 3),
        },
        { kind: "front-ends", from: at(48), what: word("all reached the front ends"), hostnames },
        { kind: "records", from: at(60), what: word("A 203.0.113.7"), hostnames: hostnames.slice(0, 50) },
      ],
      parts: [
        { name: `rotation: ${word("a domain added to a certificate")}`, from: at(85), until: at(95) },
        { name: `rollback: ${word("traffic to the previous provider and back")}`, from: at(96), until: at(115) },
      ],
      hostnames: hostnames.map((hostname, index) => ({ hostname, runs: runsOf(index, at, word) })),
      certificates: [
        certificate("previous", digest("a"), hostnames.slice(0, 100)),
        certificate("loadBalancer", digest("b"), hostnames.slice(0, 100)),
      ],
      addresses: { previous: [word("198.51.100.1")], loadBalancer: [word("203.0.113.7")] },
    },
  };
}

/** Returns what served a hostname: every 40th fails for two minutes, and another 40th is served by both sides. */
function runsOf(index: number, at: Time, word: Word): readonly Run[] {
  const failed: readonly Run[] =
    index % 40 === 1 ? [{ from: at(62), until: at(64), by: "failed", handshakes: 7, error: word("ECONNRESET") }] : [];
  return [
    { from: at(0), until: at(60 + (index % 3)), by: "previous", handshakes: 300, certificate: digest("a") },
    ...failed,
    ...(index % 40 === 2
      ? ([
          { from: at(65), until: at(70), by: "mixed", handshakes: 20, failed: 9, error: word("timeout") },
        ] as const satisfies readonly Run[])
      : []),
    { from: at(71), until: at(80), by: "load-balancer-previous", handshakes: 60, certificate: digest("a") },
    { from: at(81), until: at(119), by: "load-balancer", handshakes: 200, certificate: digest("b") },
  ];
}

/** Returns what was rehearsed, with which programs and when. */
function rehearsedOf(hostnames: readonly string[], at: Time, word: Word): Details["rehearsed"] {
  return {
    input: {
      kind: "spec",
      name: word("migration.yaml"),
      sha256: digest("c"),
      migrations: [
        {
          name: word("shop"),
          project: word("shop-prod"),
          certificates: [{ name: word("shop"), kind: "managed", domains: hostnames }],
        },
      ],
    },
    hostnames,
    addedHostname: word("added.by-rehearsal.example.com"),
    versions: {
      package: "0.1.0",
      terraform: { program: word("terraform"), version: word("1.11.4") },
      provider: word("6.50.0"),
      kit: { cdktf: word("0.21.0"), "@cdktf/provider-google": word("16.12.0") },
      node: "22.0.0",
    },
    provider: "stand-in",
    speed: 30,
    faults: { name: word("killed-at-entry"), sha256: digest("d") },
    startedAt: at(0),
    endedAt: at(5),
    evidence: { folder: word("./evidence"), manifestSha256: digest("e") },
  };
}
