import fc from "fast-check";
import { documentProblems, formatProblems, parseMigrationDocument } from "../../../lib/plan/document";

/** The smallest migration; each case adds its own lines. */
const MINIMAL = `name: shop
certificates:
  - domains: [example.com, "*.example.com"]
dns:
  kind: external
`;

/** What is said of a document, line by line. */
function problemsOf(text: string, readFile?: (path: string) => string): readonly string[] {
  const parsed = parseMigrationDocument(text, { source: "m.yaml", ...(readFile === undefined ? {} : { readFile }) });
  return "problems" in parsed ? formatProblems(parsed.problems).trimEnd().split("\n") : [];
}

function specOf(text: string, readFile?: (path: string) => string): unknown {
  const parsed = parseMigrationDocument(text, { source: "m.yaml", ...(readFile === undefined ? {} : { readFile }) });
  return "spec" in parsed ? parsed.spec : parsed.problems;
}

const minimal = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }],
  dns: { kind: "external" },
};

describe("a document is read", () => {
  test.each([
    ["in YAML", MINIMAL],
    ["in JSON", JSON.stringify(minimal)],
    ["with Windows line ends", MINIMAL.replace(/\n/g, "\r\n")],
    ["with a byte order mark", `\ufeff${MINIMAL}`],
    ["with a schema line and comments", `# yaml-language-server: $schema=./x.json\n---\n${MINIMAL}# the end\n...\n`],
  ])("%s", (_, text) => {
    expect(specOf(text)).toEqual(minimal);
  });

  test("with all of its parts", () => {
    const text = `
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
    expect(specOf(text)).toEqual({
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
    });
  });

  test("with text that begins like a wildcard where it can be nothing but text", () => {
    expect(specOf(`${MINIMAL}description: |\n  *.example.com\n`)).toEqual({
      ...minimal,
      description: "*.example.com\n",
    });
    expect(problemsOf("--- |\n*.example.com\n")).toEqual([
      "m.yaml:1:5: the document is the text '*.example.com\\u{a}': write a mapping [document-wrong-type]",
    ]);
  });

  test("with what an alias repeats", () => {
    expect(specOf(`${MINIMAL}labels: &team { team: web }\nmustServe: [&apex example.com, *apex]\n`)).toEqual({
      ...minimal,
      labels: { team: "web" },
      mustServe: ["example.com", "example.com"],
    });
  });

  test("with keys that an object has from birth as names like any other", () => {
    expect(specOf(`${MINIMAL}labels: { constructor: a, __proto__: b, toString: c }\n`)).toEqual({
      ...minimal,
      labels: Object.fromEntries([
        ["constructor", "a"],
        ["__proto__", "b"],
        ["toString", "c"],
      ]),
    });
  });
});

describe("a mistake is told with its line, its column and its remedy", () => {
  test.each([
    ["", "m.yaml:1:1: the document is empty: give at least 'name', 'certificates' and 'dns' [document-empty]"],
    [
      "# nothing\n",
      "m.yaml:1:1: the document is empty: give at least 'name', 'certificates' and 'dns' [document-empty]",
    ],
    ["- a\n", "m.yaml:1:1: the document is a list: write a mapping [document-wrong-type]"],
    ["shop", "m.yaml:1:1: the document is the text 'shop': write a mapping [document-wrong-type]"],
    [
      `${MINIMAL}phase: issue\nphase: serve\n`,
      "m.yaml:7:1: 'phase' is given twice in the document: keep one [document-duplicate-key]",
    ],
    [
      `${MINIMAL}labels: { a: b, "a": c }\n`,
      "m.yaml:6:17: 'a' is given twice in 'labels': keep one [document-duplicate-key]",
    ],
    [
      `${MINIMAL}mustserve: [example.com]\n`,
      "m.yaml:6:1: unknown property 'mustserve' in the document: did you mean 'mustServe'? [document-unknown-property]",
    ],
    [
      `${MINIMAL}  zones: {}\n`,
      "m.yaml:6:3: unknown property 'zones' in 'dns': allowed here: 'kind' [document-unknown-property]",
    ],
    [
      MINIMAL.replace("name: shop\n", ""),
      "m.yaml:1:1: the document lacks 'name': identity of the migration [document-missing-property]",
    ],
    [
      MINIMAL.replace("kind: external", "ttlSeconds: 5"),
      "m.yaml:4:1: 'dns' lacks 'kind': `cloudDns`: records are written in Cloud DNS [document-missing-property]",
    ],
    [
      MINIMAL.replace("external", "cloudDns"),
      "m.yaml:4:1: 'dns' lacks 'zones': the public zones by the DNS name that they are authoritative for, as in `{ \"example.com\": \"example-com\" }` [document-missing-property]",
    ],
    [
      MINIMAL.replace("external", "cloud-dns"),
      "m.yaml:5:9: 'dns.kind' is the text 'cloud-dns': use 'cloudDns' or 'external'; did you mean 'cloudDns'? [document-value-not-allowed]",
    ],
    [
      `${MINIMAL}gate: sometimes\n`,
      "m.yaml:6:7: 'gate' is the text 'sometimes': use 'wait' or 'precondition' or 'check' or 'none' [document-value-not-allowed]",
    ],
    [
      `${MINIMAL}enableApis: yes\n`,
      "m.yaml:6:13: 'enableApis' is the text 'yes': write true or false, without quotes [document-wrong-type]",
    ],
    [
      `${MINIMAL}gateTimeoutMinutes: "5"\n`,
      "m.yaml:6:21: 'gateTimeoutMinutes' is the text '5': write a whole number, without quotes [document-wrong-type]",
    ],
    [
      `${MINIMAL}gateTimeoutMinutes: 1.5\n`,
      "m.yaml:6:21: 'gateTimeoutMinutes' is the number 1.5: write a whole number [document-wrong-type]",
    ],
    [
      `${MINIMAL}gateTimeoutMinutes: 1441\n`,
      "m.yaml:6:21: 'gateTimeoutMinutes' is 1441: use a whole number from 1 to 1440 [document-out-of-range]",
    ],
    [
      `${MINIMAL}labels: { version: 1.10 }\n`,
      "m.yaml:6:20: 'labels.version' is the number 1.1: write text, in quotes [document-wrong-type]",
    ],
    [`${MINIMAL}project:\n`, "m.yaml:6:1: 'project' is empty: write text [document-wrong-type]"],
    [
      `${MINIMAL}mustServe: example.com\n`,
      "m.yaml:6:12: 'mustServe' is the text 'example.com': write a list, as in [\"example.com\"] [document-wrong-type]",
    ],
    [
      MINIMAL.replace('\n  - domains: [example.com, "*.example.com"]', " []"),
      "m.yaml:2:1: 'certificates' is an empty list: give at least one item [document-empty-list]",
    ],
    [
      `${MINIMAL}loadBalancer: { kind: globalExternal, addresses: 203.0.113.7 }\n`,
      "m.yaml:6:50: 'loadBalancer.addresses' is the text '203.0.113.7': write a list or a mapping, as in [\"203.0.113.7\"] [document-wrong-type]",
    ],
    [
      `${MINIMAL}traffic: { to: previous, previous: {}, hostnames: some }\n`,
      "m.yaml:6:51: 'traffic.hostnames' is the text 'some': use 'all' or a list of hostnames [document-value-not-allowed]",
    ],
    [
      `${MINIMAL}traffic:\n  to: previous\n  previous:\n    example.com: { a: [], cname: x. }\n`,
      "m.yaml:9:20: unknown property 'a' in 'traffic.previous[\"example.com\"]': allowed here: 'cname' [document-unknown-property]",
    ],
    [
      MINIMAL.replace('"*.example.com"', "*.example.com"),
      "m.yaml:3:28: '*.example.com' stands without quotes, and '*' begins an alias in YAML: put double quotes around it [document-unquoted-wildcard]",
    ],
    [
      `${MINIMAL}existingAuthorizations:\n  *.bücher.example: a\n`,
      "m.yaml:7:3: '*.bücher.example' stands without quotes, and '*' begins an alias in YAML: put double quotes around it [document-unquoted-wildcard]",
    ],
    [
      `${MINIMAL}mustServe: [*apex]\n`,
      "m.yaml:6:13: '*' begins an alias, and no anchor '&apex' stands before it: put the value in quotes [document-bad-alias]",
    ],
    [
      `${MINIMAL}mustServe: &all [*all]\n`,
      "m.yaml:6:18: the alias '*all' lies within its own anchor: write the value out [document-bad-alias]",
    ],
    [
      `${MINIMAL}? [a]\n: b\n`,
      "m.yaml:6:3: not valid YAML: a key is not plain text: write text before ':' [document-syntax]",
    ],
    [
      `${MINIMAL}project: !secret p\n`,
      "m.yaml:6:10: not valid YAML: the tag is not known here: remove it, or put the value in quotes if it begins with '!' [document-syntax]",
    ],
    [
      `${MINIMAL}project: @p\n`,
      "m.yaml:6:10: not valid YAML: a value begins with a character that YAML reserves: put the value in quotes [document-syntax]",
    ],
    [`${MINIMAL}\tproject: p\n`, "m.yaml:6:1: not valid YAML: a tab indents the line: use spaces [document-syntax]"],
    [
      `${MINIMAL}project: a: b\n`,
      "m.yaml:6:10: not valid YAML: a second ': ' stands in one line: begin a new line, or put the value in quotes [document-syntax]",
    ],
    [
      `${MINIMAL}---\n${MINIMAL}`,
      "m.yaml:6:1: a second document begins after '---': write one migration per file [document-several]",
    ],
  ])("%j", (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  test("and the problem as data names its place in the spec as well", () => {
    const parsed = parseMigrationDocument(`${MINIMAL}traffic:\n  to: here\n  previous: { "a/b~c": [] }\n`, {
      source: "m.yaml",
    });

    expect(parsed).toEqual({
      problems: [
        {
          source: "m.yaml",
          line: 7,
          column: 7,
          pointer: "/traffic/to",
          code: "document-value-not-allowed",
          message: "'traffic.to' is the text 'here': use 'previous' or 'loadBalancer'",
        },
        {
          source: "m.yaml",
          line: 8,
          column: 15,
          pointer: "/traffic/previous/a~1b~0c",
          code: "document-wrong-type",
          message: "'traffic.previous[\"a/b~c\"]' is a list: write a mapping",
        },
      ],
    });
  });
});

describe("all mistakes are told at once", () => {
  test("of every kind, in the order of the document", () => {
    const text = `certificates:
  - domains: [*.example.com]
    primary: 1
  - domain: a.example.com
    selfManaged: { certificatePem: "file:gone.pem", privateKeyVariable: key }
dns: { kind: external }
dns: { kind: cloudDns }
gate: weit
`;
    expect(problemsOf(text).map((line) => line.replace(/: .*\[/, " ["))).toEqual([
      "m.yaml:1:1 [document-missing-property]",
      "m.yaml:2:15 [document-unquoted-wildcard]",
      "m.yaml:3:14 [document-wrong-type]",
      "m.yaml:4:5 [document-unknown-property]",
      "m.yaml:5:36 [document-file-unreadable]",
      "m.yaml:7:1 [document-duplicate-key]",
      "m.yaml:8:7 [document-value-not-allowed]",
    ]);
  });

  test("up to a hundred, and then how many more there are", () => {
    const wrong = `${MINIMAL}mustServe: [${"1, ".repeat(150)}]\n`;
    const problems = problemsOf(wrong);

    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe(
      "m.yaml:6:310: 50 more problems are not shown: mend these first [document-more-problems]",
    );
    expect(problemsOf(`${MINIMAL}mustServe: [${"1, ".repeat(100)}]\n`)).toHaveLength(100);
  });

  test("of one place that lacks several properties", () => {
    expect(problemsOf("project: p\n").map((line) => line.replace(/:[^:]*$/, ""))).toEqual([
      "m.yaml:1:1: the document lacks 'name'",
      "m.yaml:1:1: the document lacks 'certificates'",
      "m.yaml:1:1: the document lacks 'dns'",
    ]);
  });

  test("once each, where several rules are broken in one place", () => {
    expect(problemsOf(MINIMAL.replace("kind: external", "king: external"))).toEqual([
      "m.yaml:4:1: 'dns' lacks 'kind': `cloudDns`: records are written in Cloud DNS [document-missing-property]",
    ]);
  });
});

describe("files", () => {
  const text = `${MINIMAL}  # here
`.replace(
    "dns:",
    '  - selfManaged: { certificatePem: "file:certs/shop.pem", privateKeyPem: "file:certs/shop.key" }\ndns:',
  );

  test("named by 'file:' are read in place of the text", () => {
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

  test("that can't be read are all told", () => {
    const missing = (path: string): string => {
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    };

    expect(problemsOf(text, missing)).toEqual([
      "m.yaml:4:36: the file 'certs/shop.pem' can't be read (ENOENT): give its path from the folder of the document, or the PEM text itself [document-file-unreadable]",
      "m.yaml:4:74: the file 'certs/shop.key' can't be read (ENOENT): give its path from the folder of the document, or the PEM text itself [document-file-unreadable]",
    ]);
  });

  test("are refused where nothing reads them", () => {
    expect(problemsOf(text).map((line) => line.replace(/: .*\[/, " ["))).toEqual([
      "m.yaml:4:36 [document-file-unreadable]",
      "m.yaml:4:74 [document-file-unreadable]",
    ]);
  });
});

test("findings of the plan get the places of what they speak of", () => {
  const parsed = parseMigrationDocument(`${MINIMAL}mustServe:\n  - example.com\n  - example.org\n`, {
    source: "m.yaml",
  });
  if (!("document" in parsed)) throw new Error("the document was refused");
  const findings = [
    {
      code: "not-served",
      message: "'example.org' would not be served; serve it",
      severity: "error",
      at: "/mustServe/1",
    },
    {
      code: "long-name",
      message: "'example.com' is long; mind it",
      severity: "warning",
      at: "/certificates/0/domains/0",
    },
  ] as const;

  expect(formatProblems(documentProblems(parsed.document, findings))).toBe(
    "m.yaml:8:5: 'example.org' would not be served; serve it [not-served]\n" +
      "m.yaml:3:15: warning: 'example.com' is long; mind it [long-name]\n",
  );
});

test("nothing in a document or its name can steer the terminal", () => {
  const parsed = parseMigrationDocument('name: "\\e[31m"\n"\\u202ekey": "\u009b"\n', { source: "m\u001b[2J.yaml" });

  expect(formatProblems("problems" in parsed ? parsed.problems : [])).not.toMatch(/[^\P{C}\n]/u);
});

test("any text is read or refused with places that it has", () => {
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
    .tuple(fc.nat(MINIMAL.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 4 }))
    .map(([at, cut, text]) => MINIMAL.slice(0, at) + text + MINIMAL.slice(at + cut));
  fc.assert(
    fc.property(
      fc.oneof(
        scraps.map((list) => list.join("")),
        fc.string({ unit: "binary" }),
        edited,
      ),
      (text) => {
        const parsed = parseMigrationDocument(text, { source: "m.yaml" });
        if ("spec" in parsed) return;
        const lines = text.split("\n");
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { line, column, code, message } of parsed.problems) {
          expect(code).toMatch(/^document-[a-z-]+$/);
          expect(message).not.toMatch(/[\n\p{C}]/u);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
          expect(Math.min(line, column)).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 600 },
  );
});
