import { randomInt } from "node:crypto";
import { makeOddCertificates, seededRandom } from "../support/odd-certificates";
import { factsHere, readWithOpenssl } from "../support/openssl-facts";

const seed = Number(process.env.SEED ?? randomInt(0x1_0000_0000));

test(
  `parses 500 unusual certificates as openssl does (SEED=${seed})`,
  () => {
    const ders = makeOddCertificates(500, seededRandom(seed)).map(({ der }) => der);
    expect(ders.map(factsHere)).toEqual(readWithOpenssl(ders));
  },
  5 * 60_000,
);

test(
  `parses none of 500 damaged certificates that openssl refuses (SEED=${seed})`,
  () => {
    const random = seededRandom(seed);
    const damaged = makeOddCertificates(500, random).map(({ der }) => {
      const copy = Buffer.from(der);
      for (let change = 0; change < 1 + random() * 3; change += 1) {
        copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      }
      return copy;
    });
    const theirs = readWithOpenssl(damaged);
    for (const [index, der] of damaged.entries()) {
      const here = factsHere(der);
      if (here === undefined) continue;
      expect({ der: der.toString("hex"), fingerprint: theirs[index]?.fingerprintSha256 }).toEqual({
        der: der.toString("hex"),
        fingerprint: here.fingerprintSha256,
      });
    }
  },
  5 * 60_000,
);
