import fc from "fast-check";
import { checks, documentProblems, formatProblems, parseMigrationDocument } from "../../../lib/plan";
import { documentErrors } from "../../../lib/plan/codes";
import { anyText } from "../../support/any-text";
import { runs } from "../../support/runs";
import { MINIMAL, minimal, problemsOf, specOf } from "./minimal";

test.each([
  ["in YAML", MINIMAL],
  ["in JSON", JSON.stringify(minimal)],
  ["with Windows line ends", MINIMAL.replace(/\n/g, "\r\n")],
  ["with a byte order mark", `\ufeff${MINIMAL}`],
  ["with a schema line and comments", `# yaml-language-server: $schema=./x.json\n---\n${MINIMAL}# the end\n...\n`],
])("parses a document %s", (_, text) => {
  expect(specOf(text)).toEqual(minimal);
});

const completeText = `
name: shop
certificates:
  - name: apex
    domains: ["*.example.com"]
    hostnames: [www.example.com]
    generation: 1
    primary: true
  - existingCertificateId: projects/p/locations/global/certificates/c
    domains: [old.example.com]
dns:
  kind: cloudDns
  zones:
    example.com: example-com
    example.net: { name: net, project: dns }
  ttlSeconds: 60
loadBalancer:
  kind: globalExternal
  adoptTargetHttpsProxies:
    - name: front
      urlMap: projects/p/global/urlMaps/m
      sslCertificates: null
      sslPolicy: ~
      quicOverride:
      tlsEarlyData: DISABLED
      httpKeepAliveTimeoutSeconds: 600
      serverTlsPolicy: null
      description: null
  addresses: { ipv4: [203.0.113.7], ipv6: ["2001:db8::7"] }
traffic:
  to: previous
  hostnames: all
  previous:
    example.com: { a: [198.51.100.1], aaaa: [] }
    www.example.com: { cname: old-cdn.example.org. }
labels: { team: web }
`;

const completeSpec = {
  name: "shop",
  certificates: [
    { name: "apex", domains: ["*.example.com"], hostnames: ["www.example.com"], generation: 1, primary: true },
    { existingCertificateId: "projects/p/locations/global/certificates/c", domains: ["old.example.com"] },
  ],
  dns: {
    kind: "cloudDns",
    zones: { "example.com": "example-com", "example.net": { name: "net", project: "dns" } },
    ttlSeconds: 60,
  },
  loadBalancer: {
    kind: "globalExternal",
    adoptTargetHttpsProxies: [
      {
        name: "front",
        urlMap: "projects/p/global/urlMaps/m",
        sslCertificates: null,
        sslPolicy: null,
        quicOverride: null,
        tlsEarlyData: "DISABLED",
        httpKeepAliveTimeoutSeconds: 600,
        serverTlsPolicy: null,
        description: null,
      },
    ],
    addresses: { ipv4: ["203.0.113.7"], ipv6: ["2001:db8::7"] },
  },
  traffic: {
    to: "previous",
    hostnames: "all",
    previous: {
      "example.com": { a: ["198.51.100.1"], aaaa: [] },
      "www.example.com": { cname: "old-cdn.example.org." },
    },
  },
  labels: { team: "web" },
};

test("parses a document with all of its parts", () => {
  expect(specOf(completeText)).toEqual(completeSpec);
});

test("parses a document with text that begins like a wildcard where only text is possible", () => {
  expect(specOf(`${MINIMAL}description: |\n  *.example.com\n`)).toEqual({
    ...minimal,
    description: "*.example.com\n",
  });
  expect(problemsOf("--- |\n*.example.com\n")).toEqual([
    "m.yaml:1:5: the migration is the text '*.example.com\\u{a}': write a mapping [value-wrong-type]",
  ]);
});

test("parses a document with the values of aliases", () => {
  expect(specOf(`${MINIMAL}labels: &team { team: web }\nmustServe: [&apex example.com, *apex]\n`)).toEqual({
    ...minimal,
    labels: { team: "web" },
    mustServe: ["example.com", "example.com"],
  });
});

test("parses a document with keys that every object inherits like any other", () => {
  expect(specOf(`${MINIMAL}labels: { constructor: a, __proto__: b, toString: c }\n`)).toEqual({
    ...minimal,
    labels: Object.fromEntries([
      ["constructor", "a"],
      ["__proto__", "b"],
      ["toString", "c"],
    ]),
  });
});

describe("files", () => {
  const text = `${MINIMAL}  # here
`.replace(
    "dns:",
    '  - selfManaged: { certificatePem: "file:certs/shop.pem", privateKeyPem: "file:certs/shop.key" }\ndns:',
  );

  test("named by 'file:' are read instead of the text", () => {
    expect(specOf(text, (path) => `contents of ${path}`)).toEqual({
      ...minimal,
      certificates: [
        ...minimal.certificates,
        {
          selfManaged: {
            certificatePem: "contents of certs/shop.pem",
            privateKeyPem: "contents of certs/shop.key",
          },
        },
      ],
    });
  });

  test("that can't be read are all reported", () => {
    const missing = (path: string): string => {
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    };

    expect(problemsOf(text, missing)).toEqual([
      "m.yaml:4:36: the file 'certs/shop.pem' can't be read (ENOENT): use a path relative to the folder of the document, or the PEM text itself [document-file-unreadable]",
      "m.yaml:4:74: the file 'certs/shop.key' can't be read (ENOENT): use a path relative to the folder of the document, or 'privateKeyVariable' in place of the key [document-file-unreadable]",
    ]);
  });

  test("that can't be read are reported with the index of the certificate whose private key is missing", () => {
    const read = parseMigrationDocument(text, { source: "m.yaml" });

    expect("problems" in read && read.problems.map(({ certificateWithoutKey }) => certificateWithoutKey)).toEqual([
      undefined,
      1,
    ]);
  });

  test("are refused if no reader is given", () => {
    expect(problemsOf(text).map((line) => line.replace(/: .*\[/, " ["))).toEqual([
      "m.yaml:4:36 [document-file-unreadable]",
      "m.yaml:4:74 [document-file-unreadable]",
    ]);
  });
});

test("gives findings of the plan the places that they are about", () => {
  const parsed = parseMigrationDocument(`${MINIMAL}mustServe:\n  - example.com\n  - example.org\n`, {
    source: "m.yaml",
  });
  if (!("document" in parsed)) throw new Error("the document was refused");
  const findings = [
    {
      code: "must-serve-missing",
      message: "'example.org' would not be served",
      remedy: "serve it",
      severity: "error",
      subject: "/mustServe/1",
    },
    {
      code: "name-invalid",
      message: "'example.com' is long",
      remedy: "mind it",
      severity: "warning",
      subject: "/certificates/0/domains/0",
    },
  ] as const;

  expect(formatProblems(documentProblems(parsed.document, findings))).toBe(
    "m.yaml:8:5: 'example.org' would not be served; serve it [must-serve-missing]\n" +
      "m.yaml:3:15: warning: 'example.com' is long; mind it [name-invalid]\n",
  );
});

test("keeps places correct after a syntax error", () => {
  const parsed = parseMigrationDocument("*a &,\n<<: ", { source: "m.yaml" });

  expect("problems" in parsed && parsed.problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 1],
    [1, 4],
    [1, 5],
    [2, 3],
  ]);
});

test("escapes a document and its name in messages for the terminal", () => {
  const parsed = parseMigrationDocument('name: "\\e[31m"\n"\\u202ekey": "\u009b"\n', { source: "m\u001b[2J.yaml" });

  expect(formatProblems("problems" in parsed ? parsed.problems : [])).not.toMatch(/[^\P{C}\n]/u);
});

test("reads any text or refuses it with places inside the text", () => {
  const scraps = fc.array(
    fc.constantFrom(
      ..."-:[]{},?&*!|>'\"%@`#\n\t ",
      "  ",
      "- ",
      ": ",
      "name",
      "dns",
      "*.a",
      "&a ",
      "*a ",
      "<<: ",
      "\n  ",
    ),
    { maxLength: 60 },
  );
  const edited = fc
    .tuple(fc.nat(MINIMAL.length), fc.nat(3), anyText({ maxLength: 4 }))
    .map(([at, cut, text]) => MINIMAL.slice(0, at) + text + MINIMAL.slice(at + cut));
  fc.assert(
    fc.property(
      fc.oneof(
        scraps.map((list) => list.join("")),
        anyText(),
        edited,
      ),
      (text) => {
        const parsed = parseMigrationDocument(text, { source: "m.yaml" });
        if ("spec" in parsed) return;
        const lines = text.split("\n");
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { line, column, code, message } of parsed.problems) {
          expect({ ...documentErrors, ...checks }).toHaveProperty(code);
          expect(message).not.toMatch(/[\n\p{C}]/u);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
          expect(Math.min(line, column)).toBeGreaterThan(0);
        }
      },
    ),
    runs(150),
  );
});
