import { parseMigrationDocument } from "../../../lib/plan";
import { MINIMAL, problemsOf } from "./minimal";

test.each([
  ["", "m.yaml:1:1: the document is empty: give at least 'name', 'certificates' and 'dns' [document-empty]"],
  ["# nothing\n", "m.yaml:1:1: the document is empty: give at least 'name', 'certificates' and 'dns' [document-empty]"],
  ["- a\n", "m.yaml:1:1: the migration is a list: write a mapping [value-wrong-type]"],
  ["shop", "m.yaml:1:1: the migration is the text 'shop': write a mapping [value-wrong-type]"],
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
    "m.yaml:6:1: unknown property 'mustserve' of the migration: did you mean 'mustServe'? [property-unknown]",
  ],
  [`${MINIMAL}  zones: {}\n`, "m.yaml:6:3: unknown property 'zones' in 'dns': allowed here: 'kind' [property-unknown]"],
  [
    MINIMAL.replace("name: shop\n", ""),
    "m.yaml:1:1: the migration lacks 'name': name of the migration [property-missing]",
  ],
  [
    MINIMAL.replace("kind: external", "ttlSeconds: 5"),
    "m.yaml:4:1: 'dns' lacks 'kind': `cloudDns`: Terraform writes the records in Cloud DNS [property-missing]",
  ],
  [
    MINIMAL.replace("external", "cloudDns"),
    "m.yaml:4:1: 'dns' lacks 'zones': public zones by the DNS name for which they are authoritative, for example `{ \"example.com\": \"example-com\" }` [property-missing]",
  ],
  [
    MINIMAL.replace("external", "cloud-dns"),
    "m.yaml:5:9: 'dns.kind' is the text 'cloud-dns': use 'cloudDns' or 'custom' or 'external'; did you mean 'cloudDns'? [value-not-allowed]",
  ],
  [
    `${MINIMAL}gate: sometimes\n`,
    "m.yaml:6:7: 'gate' is the text 'sometimes': use 'wait' or 'precondition' or 'check' or 'none' [value-not-allowed]",
  ],
  [
    `${MINIMAL}enableApis: yes\n`,
    "m.yaml:6:13: 'enableApis' is the text 'yes': write true or false, without quotes [value-wrong-type]",
  ],
  [
    `${MINIMAL}gateTimeoutMinutes: "5"\n`,
    "m.yaml:6:21: 'gateTimeoutMinutes' is the text '5': write a whole number, without quotes [value-wrong-type]",
  ],
  [
    `${MINIMAL}gateTimeoutMinutes: 1.5\n`,
    "m.yaml:6:21: 'gateTimeoutMinutes' is the number 1.5: write a whole number [value-wrong-type]",
  ],
  [
    `${MINIMAL}gateTimeoutMinutes: 1441\n`,
    "m.yaml:6:21: 'gateTimeoutMinutes' is 1441: use a whole number from 1 to 1440 [value-out-of-range]",
  ],
  [
    `${MINIMAL}labels: { version: 1.10 }\n`,
    "m.yaml:6:20: 'labels.version' is the number 1.1: write text, in quotes [value-wrong-type]",
  ],
  [`${MINIMAL}project:\n`, "m.yaml:6:1: 'project' is empty: write text [value-wrong-type]"],
  [
    `${MINIMAL}mustServe: example.com\n`,
    "m.yaml:6:12: 'mustServe' is the text 'example.com': write a list, as in [\"example.com\"] [value-wrong-type]",
  ],
  [
    MINIMAL.replace('\n  - domains: [example.com, "*.example.com"]', " []"),
    "m.yaml:2:1: 'certificates' is an empty list: give at least one item [list-empty]",
  ],
  [
    `${MINIMAL}loadBalancer: { kind: globalExternal, addresses: 203.0.113.7 }\n`,
    "m.yaml:6:50: 'loadBalancer.addresses' is the text '203.0.113.7': write a list or a mapping, as in [\"203.0.113.7\"] [value-wrong-type]",
  ],
  [
    `${MINIMAL}traffic: { to: previous, previous: {}, hostnames: some }\n`,
    "m.yaml:6:51: 'traffic.hostnames' is the text 'some': use 'all' or a list of hostnames [value-not-allowed]",
  ],
  [
    `${MINIMAL}traffic:\n  to: previous\n  previous:\n    example.com: { a: [], cname: x. }\n`,
    "m.yaml:9:20: unknown property 'a' in 'traffic.previous[\"example.com\"]': allowed here: 'cname' [property-unknown]",
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
    "m.yaml:6:13: '*' begins an alias, and the anchor '&apex' is not defined before: put the value in quotes [document-bad-alias]",
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
  [
    "name: [x",
    "m.yaml:1:7: not valid YAML: a list in brackets begins here and has no end: write ']' at the end of the value [document-syntax]",
  ],
  [
    "name: x\ndns: {kind: external\nlabels: {}\n",
    "m.yaml:2:6: not valid YAML: a mapping in braces begins here and has no end: write '}' at the end of the value [document-syntax]",
  ],
  [
    "certificates:\n  - domains: [a.example.com, {x: [1]\n  - name: b\ndns: x\n",
    "m.yaml:2:30: not valid YAML: a mapping in braces begins here and has no end: write '}' at the end of the value [document-syntax]",
  ],
  [
    '{"name": "x\n}\n',
    "m.yaml:1:10: not valid YAML: text in double quotes begins here and has no end: write a double quote at the end of the value [document-syntax]",
  ],
  [
    "name: 'it''s\ndns: x\n",
    "m.yaml:1:7: not valid YAML: text in single quotes begins here and has no end: write a single quote at the end of the value [document-syntax]",
  ],
  [
    "name: [x]]\n",
    "m.yaml:1:10: not valid YAML: ']' ends nothing: remove it, or write '[' where the value begins [document-syntax]",
  ],
  [`${MINIMAL}\tproject: p\n`, "m.yaml:6:1: not valid YAML: a tab indents the line: use spaces [document-syntax]"],
  [
    `${MINIMAL}project: a: b\n`,
    "m.yaml:6:10: not valid YAML: a line contains a second ': ': begin a new line, or put the value in quotes [document-syntax]",
  ],
  [
    `${MINIMAL}---\n${MINIMAL}`,
    "m.yaml:6:1: a second document begins after '---': write one migration per file [document-several]",
  ],
])("reports a mistake with its line, its column and its remedy: %j", (text, expected) => {
  expect(problemsOf(text)).toEqual([expected]);
});

test("returns a mistake as data too, with its place in the spec", () => {
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
        code: "value-not-allowed",
        message: "'traffic.to' is the text 'here': use 'previous' or 'loadBalancer'",
      },
      {
        source: "m.yaml",
        line: 8,
        column: 15,
        pointer: "/traffic/previous/a~1b~0c",
        code: "value-wrong-type",
        message: "'traffic.previous[\"a/b~c\"]' is a list: write a mapping",
      },
    ],
  });
});

describe("reports all mistakes at once", () => {
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
      "m.yaml:1:1 [property-missing]",
      "m.yaml:2:15 [document-unquoted-wildcard]",
      "m.yaml:3:14 [value-wrong-type]",
      "m.yaml:4:5 [property-unknown]",
      "m.yaml:5:36 [document-file-unreadable]",
      "m.yaml:7:1 [document-duplicate-key]",
      "m.yaml:8:7 [value-not-allowed]",
    ]);
  });

  test("up to a hundred, and then the number of others", () => {
    const wrong = `${MINIMAL}mustServe: [${"1, ".repeat(150)}]\n`;
    const problems = problemsOf(wrong);

    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe(
      "m.yaml:6:310: 50 more problems are not shown: fix these first [document-more-problems]",
    );
    expect(problemsOf(`${MINIMAL}mustServe: [${"1, ".repeat(100)}]\n`)).toHaveLength(100);
  });

  test("for one place that lacks several properties", () => {
    expect(problemsOf("project: my-project\n").map((line) => line.replace(/:[^:]*$/, ""))).toEqual([
      "m.yaml:1:1: the migration lacks 'name'",
      "m.yaml:1:1: the migration lacks 'certificates'",
      "m.yaml:1:1: the migration lacks 'dns'",
    ]);
  });

  test("once each, if several rules are violated in one place", () => {
    expect(problemsOf(MINIMAL.replace("kind: external", "king: external"))).toEqual([
      "m.yaml:4:1: 'dns' lacks 'kind': `cloudDns`: Terraform writes the records in Cloud DNS [property-missing]",
    ]);
  });
});
