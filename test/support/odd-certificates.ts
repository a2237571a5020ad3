import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { bitString, der, octetString, oid, sequence } from "./der";

/** A certificate with rare but real properties. */
export interface OddCertificate {
  readonly der: Buffer;
  /** Whether the certificate is signed with its own key and names itself as issuer. */
  readonly selfSigned: boolean;
}

/**
 * Makes certificates with several rare properties each. Their names, serial numbers, dates, keys and extensions are
 * drawn from real examples.
 *
 * @param random returns 0 or more and less than 1; determines everything except keys and signatures
 */
export function makeOddCertificates(count: number, random: () => number): readonly OddCertificate[] {
  return Array.from({ length: count }, () => makeOne(random));
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Makes a certificate with an unusual date or name, with a P-256 key and the signature of another key. */
export function makeOddCertificate({
  notBefore,
  notAfter,
  commonName = utf8("Odd"),
}: {
  readonly notBefore: Buffer;
  readonly notAfter: Buffer;
  readonly commonName?: Buffer;
}): Buffer {
  const { publicKey, privateKey, algorithm } = authority();
  const { hash, identifier } = algorithm as Signature;
  const signed = sequence(
    der(0x02, Buffer.from([1])),
    identifier,
    sequence(attribute("2.5.4.3", utf8("Odd Authority"))),
    sequence(notBefore, notAfter),
    sequence(attribute("2.5.4.3", commonName)),
    publicKey,
  );
  return sequence(signed, identifier, bitString(sign(hash, signed, privateKey as KeyObject)));
}

type Pick = <Item>(items: readonly Item[]) => Item;

function makeOne(random: () => number): OddCertificate {
  const pick: Pick = (items) => items[Math.floor(random() * items.length)] as (typeof items)[number];
  const some = <Item>(items: readonly Item[], share: number) => items.filter(() => random() < share);
  const own = pick(keys());
  const subject = makeName(pick, some);
  const claimsItself = random() < 0.3;
  const signsItself = claimsItself && own.algorithm !== undefined && random() < 0.8;
  const signer = signsItself ? own : authority();
  const algorithm = signer.algorithm as Signature;
  const version3 = random() < 0.9;
  const extensions = makeExtensions(pick, some, random);
  const signed = sequence(
    ...(version3 ? [der(0xa0, der(0x02, Buffer.from([2])))] : []),
    der(0x02, pick(serials)),
    algorithm.identifier,
    claimsItself ? subject : sequence(attribute("2.5.4.3", utf8("Odd Authority"))),
    sequence(pick(times), pick(times)),
    subject,
    own.publicKey,
    ...(version3 && extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign(algorithm.hash, signed, signer.privateKey as KeyObject);
  return { der: sequence(signed, algorithm.identifier, bitString(signature)), selfSigned: signsItself };
}

interface Signature {
  readonly hash: string | null;
  readonly identifier: Buffer;
}

interface Key {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly privateKey?: KeyObject;
  readonly algorithm?: Signature;
}

let made: readonly Key[] | undefined;

function keys(): readonly Key[] {
  made ??= [
    ecKey("prime256v1"),
    ecKey("secp384r1"),
    ecKey("secp521r1"),
    ecKey("secp256k1"),
    ecKey("brainpoolP256r1"),
    ecKey("secp224r1"),
    key(generateKeyPairSync("rsa", { modulusLength: 1024 }), "sha256", rsaWithSha256),
    key(generateKeyPairSync("rsa", { modulusLength: 2048 }), "sha256", rsaWithSha256),
    key(generateKeyPairSync("rsa", { modulusLength: 1031, publicExponent: 3 }), "sha256", rsaWithSha256),
    key(generateKeyPairSync("rsa-pss", { modulusLength: 1024 })),
    key(generateKeyPairSync("rsa-pss", { modulusLength: 1024, hashAlgorithm: "sha256", mgf1HashAlgorithm: "sha256" })),
    key(generateKeyPairSync("ed25519"), null, sequence(oid("1.3.101.112"))),
    key(generateKeyPairSync("ed448"), null, sequence(oid("1.3.101.113"))),
    key(generateKeyPairSync("x25519")),
  ];
  return made;
}

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));
const rsaWithSha256 = sequence(oid("1.2.840.113549.1.1.11"), der(0x05));

function authority(): Key {
  return keys()[0] as Key;
}

function ecKey(namedCurve: string): Key {
  return key(generateKeyPairSync("ec", { namedCurve }), "sha256", ecdsaWithSha256);
}

function key(
  pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  hash?: string | null,
  identifier?: Buffer,
): Key {
  const publicKey = pair.publicKey.export({ type: "spki", format: "der" });
  const known = hash !== undefined && identifier !== undefined;
  return { publicKey, ...(known ? { privateKey: pair.privateKey, algorithm: { hash, identifier } } : {}) };
}

/** INTEGER contents: empty, 1, with and without a leading zero octet, 20 and 40 octets, and negative. */
const serials: readonly Buffer[] = [
  "00",
  "01",
  "7f",
  "0080",
  "00ff",
  "0a1b2c3d",
  `00${"f1".repeat(19)}`,
  "5a".repeat(20),
  "6b".repeat(40),
  "ff",
  "80",
  "ff7f",
  "a0b1c2",
].map((hex) => Buffer.from(hex, "hex"));

/** UTCTime and GeneralizedTime, in valid form and in invalid forms that occur in real certificates. */
const times: readonly Buffer[] = [
  ...["500101000000Z", "991231235959Z", "491231235959Z", "240229120000Z", "2601010000Z", "260101000000+0130"].map(
    (text) => der(0x17, Buffer.from(text)),
  ),
  ...[
    "20500101000000Z",
    "99991231235959Z",
    "19500101000000Z",
    "20240229235959Z",
    "20260101000000.5Z",
    "20260101000000-0800",
    "16010101000000Z",
  ].map((text) => der(0x18, Buffer.from(text))),
];

const stringTags = { utf8: 0x0c, printable: 0x13, teletex: 0x14, ia5: 0x16, universal: 0x1c, bmp: 0x1e } as const;
const utf8 = (text: string) => der(stringTags.utf8, Buffer.from(text));
const latin1 = (tag: number) => (text: string) => der(tag, Buffer.from(text, "latin1"));
const printable = latin1(stringTags.printable);
const teletex = latin1(stringTags.teletex);
const ia5 = latin1(stringTags.ia5);
const bmp = (text: string) => der(stringTags.bmp, Buffer.from(text, "utf16le").swap16());
const universal = (text: string) => {
  const points = [...text].map((character) => character.codePointAt(0) as number);
  return der(
    stringTags.universal,
    Buffer.concat(points.map((point) => Buffer.from(point.toString(16).padStart(8, "0"), "hex"))),
  );
};

function attribute(type: string, ...values: readonly Buffer[]): Buffer {
  return der(0x31, ...values.map((value) => sequence(oid(type), value)));
}

const commonNames: readonly Buffer[] = [
  printable("shop.example.com"),
  printable("Shop.Example.COM."),
  printable("*.example.com"),
  printable("192.0.2.1"),
  printable("Jane Doe"),
  printable(""),
  utf8("bücher.example"),
  utf8("商店.example"),
  utf8('a, b + c "d" <e>; #f = \\g'),
  utf8(" # leading and trailing "),
  utf8("two\nlines\tand \u007f"),
  utf8("x".repeat(200)),
  teletex("Z\xfcrich AG"),
  bmp("Пример"),
  bmp("shop.example.net"),
  universal("例え 🔒"),
  ia5("xn--bcher-kva.example"),
];

function makeName(pick: Pick, some: <Item>(items: readonly Item[], share: number) => readonly Item[]): Buffer {
  const parts = [
    attribute("2.5.4.6", printable("DE")),
    attribute(
      "2.5.4.10",
      pick([utf8("Größe & Söhne, GmbH"), printable("Example Inc"), teletex("Caf\xe9"), bmp("株式会社")]),
    ),
    attribute("2.5.4.11", utf8("a+b")),
    attribute("2.5.4.5", printable("HRB 1234")),
    attribute("1.3.6.1.4.1.311.60.2.1.3", printable("DE")),
    attribute("1.2.840.113549.1.9.1", ia5("admin@example.com")),
    attribute("0.9.2342.19200300.100.1.25", ia5("example")),
    attribute("1.3.6.1.4.1.99999.7", utf8("private")),
    der(0x31, sequence(oid("2.5.4.3"), utf8("many.example")), sequence(oid("2.5.4.11"), utf8("in one"))),
  ];
  const names = some([pick(commonNames), pick(commonNames)], 0.6).map((name) => attribute("2.5.4.3", name));
  return sequence(...some(parts, 0.25), ...names);
}

const general = {
  dns: (text: string) => der(0x82, Buffer.from(text, "latin1")),
  email: (text: string) => der(0x81, Buffer.from(text)),
  uri: (text: string) => der(0x86, Buffer.from(text)),
  ip: (hex: string) => der(0x87, Buffer.from(hex, "hex")),
} as const;

const generalNames: readonly Buffer[] = [
  general.dns("shop.example.com"),
  general.dns("shop.example.com"),
  general.dns("SHOP.example.com"),
  general.dns("shop.example.com."),
  general.dns("*.example.com"),
  general.dns("xn--bcher-kva.example"),
  general.dns("b\xfccher.example"),
  general.dns("under_score.example.com"),
  general.dns("localhost"),
  general.dns("w*.example.com"),
  general.dns(`${"a".repeat(63)}.${"b".repeat(63)}.example.com`),
  general.ip("c0000201"),
  general.ip("c0000201"),
  general.ip("20010db8000000000000000000000001"),
  general.ip("00000000000000000000ffffc0000201"),
  general.ip("00000000000000000000000000000000"),
  general.email("admin@example.com"),
  general.uri("https://shop.example.com/a,b"),
  der(0xa4, sequence(attribute("2.5.4.3", utf8("DNS:inner.example")))),
  der(0xa0, oid("1.3.6.1.4.1.311.20.2.3"), der(0xa0, utf8("user@example.com"))),
  der(0x88, oid("1.2.3.4").subarray(2)),
];

const yes = der(0x01, Buffer.from([0xff]));

function extension(type: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(type), ...(critical ? [yes] : []), octetString(value));
}

function makeExtensions(
  pick: Pick,
  some: <Item>(items: readonly Item[], share: number) => readonly Item[],
  random: () => number,
): readonly Buffer[] {
  const small = (value: number) => der(0x02, Buffer.from([value]));
  const policy = (id: string) => sequence(oid(id));
  return some(
    [
      extension("2.5.29.17", sequence(...some(generalNames, random() * 0.6)), random() < 0.2),
      extension("2.5.29.19", pick([sequence(), sequence(yes), sequence(yes, small(0))]), true),
      // Only digitalSignature; keyCertSign and cRLSign; all nine bits.
      extension(
        "2.5.29.15",
        pick([
          bitString(Buffer.from([0x80]), 7),
          bitString(Buffer.from([0x06]), 1),
          bitString(Buffer.from([0xff, 0x80]), 7),
        ]),
        true,
      ),
      extension(
        "2.5.29.32",
        sequence(
          ...pick([
            [policy("2.23.140.1.2.1")],
            [policy("2.23.140.1.1")],
            [policy("1.3.6.1.4.1.34697.2.1"), policy("2.23.140.1.2.2")],
            [policy("2.23.140.1.2.3")],
            [policy("1.3.6.1.4.1.6449.1.2.1.5.1")],
            [sequence(oid("2.23.140.1.2.2"), sequence(sequence(oid("1.3.6.1.5.5.7.2.1"), ia5("https://cps.example"))))],
          ]),
        ),
      ),
      extension("1.3.6.1.5.5.7.1.24", sequence(...pick([[small(5)], [small(17)], [small(5), small(17)], [small(13)]]))),
      extension(
        "2.5.29.30",
        sequence(der(0xa0, sequence(general.dns("example.com")), sequence(general.ip("c0000200ffffff00")))),
        true,
      ),
      extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2"))),
      extension("1.3.6.1.4.1.99999.1", octetString(Buffer.from("unknown"))),
    ],
    0.5,
  );
}
