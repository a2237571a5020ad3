import { jsiiSource } from "../../build/jsii-source";

test.each([
  [
    "package names of CDK Terrain",
    'import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";\n',
    'import { DnsRecordSet } from "@cdktn/provider-google/lib/dns-record-set";\n',
  ],
  ["lists without 'readonly'", "readonly zones?: readonly string[];\n", "readonly zones?: string[];\n"],
  [
    "lists of several types without 'readonly'",
    "readonly dependsOn?: readonly (string | IConstruct)[];\n",
    "readonly dependsOn?: (string | IConstruct)[];\n",
  ],
  [
    "checked text as text",
    "export type Hostname = string & { readonly [hostnameBrand]: true };\n",
    "export type Hostname = string;\n",
  ],
  [
    "examples without fences",
    " * @example\n * ```ts\n * DnsPublication.external();\n * ```\n */\n",
    " * @example\n * DnsPublication.external();\n */\n",
  ],
  ["all other text unchanged", "readonly zones: { readonly [domain: string]: ZoneSpec };\n", undefined],
])("writes %s", (_, text, expected = text) => {
  expect(jsiiSource(text)).toBe(`// @ts-nocheck\n${expected}`);
});
