import { makeCertificate } from "../../support/make-certificate";
import { type Case, cm, createFirst, type Fields, gone, judgedAt, planOf } from "../plans";

const dayMs = 24 * 3_600_000;
const days = (count: number) => new Date(judgedAt.getTime() + count * dayMs);
const pem = (from: number, until: number) =>
  makeCertificate(["pay.example.com"], { notBefore: days(from), notAfter: days(until) }).certificatePem;
const [valid, endsSoon, endsInAMonth, expired, toCome] = [
  pem(-10, 300),
  pem(-80, 29),
  pem(-80, 31),
  pem(-90, -1),
  pem(1, 90),
];

const uploaded = `${cm}_certificate.uploaded`;
const classic = "google_compute_ssl_certificate.uploaded";
const manager = (pem: string): Fields => ({ name: "pay", self_managed: [{ pem_certificate: pem }] });
const compute = (pem: string): Fields => ({ name: "pay", certificate: pem });
const made = (address: string, after: Fields) => planOf([{ address, actions: ["create"], after }]);
const there = (values: Fields) => ({ there: { [uploaded]: values } });

export const refused: readonly Case[] = [
  [
    "a certificate is uploaded that has expired",
    made(uploaded, manager(expired)),
    [`uploaded-certificate-not-valid ${uploaded}`],
  ],
  [
    "a certificate is uploaded to Compute Engine that has expired",
    made(classic, compute(expired)),
    [`uploaded-certificate-not-valid ${classic}`],
  ],
  [
    "a certificate is uploaded that is not valid yet",
    made(uploaded, manager(toCome)),
    [`uploaded-certificate-not-valid ${uploaded}`],
  ],
  [
    "an expired certificate replaces a certificate",
    planOf([{ address: uploaded, actions: createFirst, after: manager(expired) }], there(manager(valid))),
    [`uploaded-certificate-not-valid ${uploaded}`],
  ],
];

export const passing: readonly Case[] = [
  ["a certificate is uploaded that is valid for long", made(uploaded, manager(valid)), []],
  ["a certificate is uploaded that ends in 31 days", made(uploaded, manager(endsInAMonth)), []],
  [
    "a certificate is uploaded that ends in 29 days",
    made(uploaded, manager(endsSoon)),
    [`uploaded-certificate-expires-soon ${uploaded}`],
  ],
  [
    "a certificate that ends in 29 days stays as it is",
    planOf([], there(manager(endsSoon))),
    [`uploaded-certificate-expires-soon ${uploaded}`],
  ],
  [
    "a certificate that has expired stays, and gets labels",
    planOf([{ address: uploaded, actions: ["update"], after: { labels: {} } }], there(manager(expired))),
    [`uploaded-certificate-expired ${uploaded}`],
  ],
  [
    "a valid certificate replaces an expired certificate",
    planOf([{ address: uploaded, actions: createFirst, after: manager(valid) }], there(manager(expired))),
    [],
  ],
  [
    "a certificate that has expired is deleted",
    planOf([{ address: uploaded, actions: gone }], there(manager(expired))),
    [],
  ],
  [
    "a certificate with unknown content is uploaded",
    planOf([
      {
        address: uploaded,
        actions: ["create"],
        after: { name: "pay", self_managed: [{}] },
        unknown: { self_managed: [{ pem_certificate: true }] },
      },
    ]),
    [],
  ],
  ["the uploaded text is not a certificate", made(uploaded, manager("-----BEGIN CERTIFICATE-----\nAAAA\n")), []],
];
