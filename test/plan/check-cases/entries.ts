import { type CheckCase, certificate, id, with_ } from "./case";

export const entriesCases: readonly CheckCase[] = [
  {
    code: "hostname-in-two-certificates",
    refused: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["example.com", "www.example.com"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "a", domains: ["example.com"] },
        { name: "b", domains: ["example.com", "www.example.com"], hostnames: ["www.example.com"] },
      ],
    }),
  },
  {
    code: "entry-not-covered",
    refused: certificate({ domains: ["*.example.com"], hostnames: ["a.b.example.com"] }),
    accepted: certificate({ domains: ["*.example.com"], hostnames: ["b.example.com"] }),
  },
  {
    code: "entry-too-many-certificates",
    refused: certificate({ domains: ["example.com"], alternatives: [1, 2, 3, 4].map((n) => id("certificates") + n) }),
    accepted: certificate({ domains: ["example.com"], alternatives: [1, 2, 3].map((n) => id("certificates") + n) }),
  },
  {
    code: "alternative-unknown",
    refused: certificate({ domains: ["example.com"], alternatives: ["rsa"] }),
    accepted: with_({
      certificates: [
        { domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"] },
      ],
    }),
  },
  {
    code: "alternatives-mutual",
    refused: with_({
      certificates: [
        { name: "ec", domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"], alternatives: ["ec"] },
      ],
    }),
    accepted: with_({
      certificates: [
        { name: "ec", domains: ["example.com"], alternatives: ["rsa"] },
        { name: "rsa", domains: ["example.com"] },
      ],
    }),
  },
  {
    code: "primary-repeated",
    refused: with_({
      certificates: [
        { domains: ["example.com"], primary: true },
        { domains: ["www.example.com"], primary: true },
      ],
    }),
    accepted: with_({
      certificates: [
        { domains: ["example.com"], primary: true },
        { domains: ["www.example.com"], primary: false },
      ],
    }),
  },
  {
    code: "must-serve-missing",
    refused: with_({ mustServe: ["a.b.example.com"] }),
    accepted: with_({ mustServe: ["b.example.com"] }),
  },
];
