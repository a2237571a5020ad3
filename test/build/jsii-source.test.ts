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
    "unions of data types as any value",
    "export type PlannedMap = PlannedNewMap | PlannedExistingMap;\nexport type PreviousRecords = PreviousAddresses | PreviousAlias;\n",
    "export type PlannedMap = any;\nexport type PreviousRecords = any;\n",
  ],
  [
    "a union of several lines as any value",
    "export type CertificateSpec =\n  | ManagedCertificateSpec\n  | FormerCertificateSpec;\n",
    "export type CertificateSpec = any;\n",
  ],
  [
    "zones as any values",
    "readonly zones: { readonly [domain: string]: string | CloudDnsZone | DnsManagedZone };\n",
    "readonly zones: { readonly [domain: string]: any };\n",
  ],
  [
    "a list of data types in props as a list of any values",
    "readonly servingProxies?: readonly ServingProxySpec[];\n",
    "readonly servingProxies?: any[];\n",
  ],
  [
    "data in the form of migration.yaml as any value",
    "static fromSpec(spec: LoadBalancerSpec): LoadBalancer {\n",
    "static fromSpec(spec: any): LoadBalancer {\n",
  ],
  [
    "a union of classes unchanged",
    "export type AppTargetProxy = ComputeTargetHttpsProxy | ComputeTargetSslProxy;\n",
    undefined,
  ],
  [
    "comments without examples",
    "/**\n * Text.\n *\n * @example\n * ```ts\n * DnsPublication.external();\n * ```\n *\n * @throws InputError\n */\n",
    "/**\n * Text.\n *\n * @throws InputError\n */\n",
  ],
  ["links as code", "/** For {@link DnsPublication.custom}. */\n", "/** For `DnsPublication.custom`. */\n"],
  [
    "links to the words of a prop as the class with these words",
    "/** See {@link GateName}. */\n",
    "/** See `Gate`. */\n",
  ],
  ["all other text unchanged", "readonly zones: { readonly [domain: string]: ZoneSpec };\n", undefined],
])("writes %s", (_, text, expected = text) => {
  expect(jsiiSource(text)).toBe(`// @ts-nocheck\n${expected}`);
});
