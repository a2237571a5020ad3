/** Arguments of provider versions that are later than the version of the bindings in these tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { inflateRawSync } from "node:zlib";
import { createHttpClient } from "../../lib/http";
import { openCatalogue } from "../../lib/terraform-provider/catalogue";
import { createCloudApi } from "../../lib/terraform-provider/cloud-api";
import { providerHandlers } from "../../lib/terraform-provider/handlers";
import { startPluginServer } from "../../lib/terraform-provider/protocol";
import { encodeSchema } from "../../lib/terraform-provider/protocol/messages";
import { type Attribute, openBindings, type SchemaBlock, shapeBlock } from "../../lib/terraform-provider/schema";
import { readSettings } from "../../lib/terraform-provider/settings";
import { createStandIn, type Session } from "../../lib/terraform-provider/stand-in";
import type { ValueObject } from "../../lib/terraform-provider/value";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { makeCertificate } from "../support/make-certificate";
import { openTerraform } from "../support/terraform";

const text: Attribute = {
  type: "string",
  required: false,
  optional: true,
  computed: false,
  sensitive: false,
  writeOnly: false,
};
const policy: Attribute = { ...text, computed: true };
const writeOnly: Attribute = { ...text, writeOnly: true };

const certificate = "google_compute_ssl_certificate";
const managed = "google_certificate_manager_certificate";

const today = openCatalogue(openBindings(), [], "8.7.0");
const later = {
  ...today,
  resources: new Map(
    [...today.resources].map(([type, found]) => [type, { ...found, schema: laterSchema(type, found.schema) }]),
  ),
};
const standIn = createStandIn(later, () => "x".repeat(26));

function laterSchema(type: string, { attributes, blocks }: SchemaBlock): SchemaBlock {
  const withPolicy = new Map([...attributes, ["deletion_policy", policy] as const]);
  if (type === certificate) {
    const key = { ...text, sensitive: true };
    const keys = [
      ["private_key", key],
      ["private_key_wo", writeOnly],
      ["private_key_wo_version", text],
    ] as const;
    return { attributes: new Map([...withPolicy, ...keys]), blocks };
  }
  const self = blocks.get("self_managed");
  if (type !== managed || self === undefined) return { attributes: withPolicy, blocks };
  const keys = [
    ["pem_private_key_wo", writeOnly],
    ["pem_private_key_wo_version", text],
  ] as const;
  const block = { attributes: new Map([...self.block.attributes, ...keys]), blocks: self.block.blocks };
  return { attributes: withPolicy, blocks: new Map([...blocks, ["self_managed", { ...self, block }]]) };
}

function schemaOf(type: string): SchemaBlock {
  const found = later.resources.get(type);
  if (found === undefined) throw new Error(`unknown type ${type}`);
  return found.schema;
}

function sessionOf(cloudUrl: string, provider: ValueObject = {}): Session {
  const api = createCloudApi({ cloudUrl, http: createHttpClient(), accessToken: "t" });
  const settings = readSettings({ project: "p1", region: "us-central1", ...provider }, "t");
  return { settings, api, signal: new AbortController().signal };
}

/** Plans and applies a configuration as Terraform does, and returns the state with the plan before it. */
async function apply(type: string, given: ValueObject, session: Session, prior: ValueObject | null = null) {
  const config = shapeBlock(schemaOf(type), given);
  const proposed = prior === null ? config : { ...prior, ...given };
  const { planned, replacements } = standIn.plan(type, prior, proposed, config, session);
  const { state, error } = await standIn.apply(type, prior, planned, config, session);
  if (error !== undefined) throw error;
  return { planned: planned as ValueObject, state: state as ValueObject, replacements };
}

const destroy = (type: string, state: ValueObject, session: Session) => standIn.apply(type, state, null, null, session);

const zone = { name: "main", dns_name: "example.com." };
const zoneType = "google_dns_managed_zone";

test.each([
  [undefined, undefined, "DELETE"],
  [undefined, "ABANDON", "ABANDON"],
  ["PREVENT", "ABANDON", "PREVENT"],
])(
  "deletion_policy: own policy %s, policy of the provider block %s: the plan and the state have %s",
  async (own, given, expected) => {
    await using cloud = await startLoadBalancerCloud();
    const session = sessionOf(cloud.url, given === undefined ? {} : { deletion_policy: given });
    const { planned, state } = await apply(zoneType, { ...zone, deletion_policy: own ?? null }, session);

    expect([planned.deletion_policy, state.deletion_policy]).toEqual([expected, expected]);
  },
);

test("deletion_policy: a state of an earlier version gets the default at its refresh, so that the next plan shows nothing", async () => {
  await using cloud = await startLoadBalancerCloud();
  const session = sessionOf(cloud.url);
  const { state } = await apply(zoneType, zone, session);
  const earlier = standIn.upgrade(zoneType, { ...state, deletion_policy: null });
  const refreshed = (await standIn.read(zoneType, earlier, session)) as ValueObject;
  const config = shapeBlock(schemaOf(zoneType), zone);

  expect(refreshed).toEqual(state);
  expect(standIn.plan(zoneType, refreshed, { ...refreshed, ...zone }, config, session).planned).toEqual(refreshed);
});

test.each([
  ["DELETE", undefined, null],
  ["ABANDON", undefined, "kept"],
  ["PREVENT", "deletion-prevented", "kept"],
])("deletion_policy: with %s, a deletion fails with %s", async (own, code, left) => {
  await using cloud = await startLoadBalancerCloud();
  const session = sessionOf(cloud.url);
  const { state } = await apply(zoneType, { ...zone, deletion_policy: own }, session);
  const gone = await destroy(zoneType, state, session);

  expect((gone.error as { code?: string } | undefined)?.code).toBe(code);
  expect(gone.state).toEqual(code === undefined ? null : state);
  expect(await standIn.read(zoneType, state, session)).toEqual(left === null ? null : state);
});

test("deletion_policy: a change of only the policy sends no request", async () => {
  await using cloud = await startLoadBalancerCloud();
  const session = sessionOf(cloud.url);
  const { state } = await apply(zoneType, zone, session);
  const refused = { ...session.api, send: ({ httpMethod }: { httpMethod: string }) => Promise.reject(httpMethod) };
  const changed = apply(zoneType, { ...zone, deletion_policy: "PREVENT" }, { ...session, api: refused }, state);

  // The read after the update is the first request.
  await expect(changed).rejects.toBe("GET");
});

test("deletion_policy: an argument with this name that the provider does not compute, as a few earlier types have, stays unchanged", async () => {
  await using cloud = await startLoadBalancerCloud();
  const found = later.resources.get(zoneType);
  if (found === undefined) throw new Error("the provider has no resource type for zones");
  const schema = { ...found.schema, attributes: new Map([...found.schema.attributes, ["deletion_policy", text]]) };
  const resources = new Map([...later.resources, [zoneType, { ...found, schema }] as const]);
  const earlier = createStandIn({ ...later, resources }, () => "x");
  const config = shapeBlock(schema, zone);
  const { planned } = earlier.plan(zoneType, null, config, config, sessionOf(cloud.url));

  expect((planned as ValueObject).deletion_policy).toBeNull();
});

const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);

test("write-only attributes are marked by the protocol", () => {
  const { block } = encodeSchema(schemaOf(certificate)) as { block: { attributes: readonly object[] } };
  const flags = Object.fromEntries(
    block.attributes.map((each) => [(each as { name: string }).name, (each as { writeOnly: boolean }).writeOnly]),
  );

  expect([flags.private_key_wo, flags.private_key, flags.private_key_wo_version]).toEqual([true, false, false]);
});

test("write-only attributes send the key from the configuration to the service, and neither plan nor state contains it", async () => {
  await using cloud = await startLoadBalancerCloud();
  const given = {
    name: "c",
    certificate: certificatePem,
    private_key_wo: privateKeyPem,
    private_key_wo_version: "1",
  };
  const { planned, state } = await apply(certificate, given, sessionOf(cloud.url));

  expect([planned.private_key_wo, state.private_key_wo]).toEqual([null, null]);
  expect(state).toMatchObject({ name: "c", certificate: certificatePem, private_key_wo_version: "1" });
  expect(inspect([planned, state], { depth: null, maxStringLength: null })).not.toContain("PRIVATE KEY");
});

test("write-only attributes send the key to the service, which refuses a certificate without it", async () => {
  await using cloud = await startLoadBalancerCloud();

  await expect(apply(certificate, { name: "c", certificate: certificatePem }, sessionOf(cloud.url))).rejects.toThrow();
});

test("write-only attributes of another key version replace an SSL certificate; another key alone changes nothing", async () => {
  await using cloud = await startLoadBalancerCloud();
  const session = sessionOf(cloud.url);
  const given = {
    name: "c",
    certificate: certificatePem,
    private_key_wo: privateKeyPem,
    private_key_wo_version: "1",
  };
  const { state } = await apply(certificate, given, session);
  const planOf = (change: ValueObject) => {
    const config = shapeBlock(schemaOf(certificate), { ...given, ...change });
    return standIn.plan(certificate, state, { ...state, ...change, private_key_wo: null }, config, session);
  };

  expect(planOf({ private_key_wo_version: "2" }).replacements).toEqual([["private_key_wo_version"]]);
  expect(planOf({ private_key_wo: "another" })).toEqual({ planned: state, replacements: [] });
});

test("write-only attributes send a key inside a block, and leave it out of the mask when other arguments are updated", async () => {
  await using cloud = await startLoadBalancerCloud();
  const session = sessionOf(cloud.url);
  const sent: unknown[] = [];
  const send: Session["api"]["send"] = (request) => {
    const { selfManaged } = (request.body ?? {}) as { selfManaged?: unknown };
    const mask = /updateMask=(.*)/.exec(request.target)?.[1];
    if (request.body !== undefined) sent.push([request.httpMethod, mask, selfManaged]);
    return session.api.send(request);
  };
  const watched = { ...session, api: { ...session.api, send } };
  const self = {
    pem_certificate: certificatePem,
    pem_private_key_wo: privateKeyPem,
    pem_private_key_wo_version: "1",
  };
  const given = { name: "m", self_managed: [self] };
  const { planned, state } = await apply(managed, given, watched);
  await apply(managed, { ...given, description: "other" }, watched, state);
  await apply(managed, { ...given, self_managed: [{ ...self, pem_private_key_wo_version: "2" }] }, watched, state);

  expect(inspect([planned, state], { depth: null, maxStringLength: null })).not.toContain("PRIVATE KEY");
  const whole = { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem };
  expect(sent).toEqual([
    ["POST", undefined, whole],
    ["PATCH", "description", whole],
    ["PATCH", "selfManaged", whole],
  ]);
});

/** A line of the key, which JSON does not escape. */
const keyLine = privateKeyPem.split(/\r?\n/)[5] ?? "";

async function startLater() {
  const cloud = await startLoadBalancerCloud();
  const server = await startPluginServer(
    providerHandlers(later, standIn, {
      accessToken: "t",
      signal: new AbortController().signal,
      openApi: () => createCloudApi({ cloudUrl: cloud.url, http: createHttpClient(), accessToken: "t" }),
    }),
  );
  const reattach = {
    Protocol: "grpc",
    ProtocolVersion: 5,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "tcp", String: `127.0.0.1:${server.port}` },
  };
  return {
    reattachConfig: JSON.stringify({ "registry.terraform.io/hashicorp/google": reattach }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await cloud[Symbol.asyncDispose]();
    },
  };
}

const stackOf = (uploaded: object, variable: object) => ({
  terraform: { required_providers: { google: { source: "hashicorp/google" } } },
  provider: { google: { project: "p1" } },
  variable: { key: { type: "string", sensitive: true, ...variable } },
  resource: {
    [managed]: { main: { name: "own", self_managed: { pem_certificate: certificatePem, ...uploaded } } },
  },
});

test.each([
  [
    "is in neither the state nor a saved plan as a write-only argument of an ephemeral variable",
    stackOf({ pem_private_key_wo: "${var.key}", pem_private_key_wo_version: "1" }, { ephemeral: true }),
    { plan: false, state: false },
  ],
  [
    "is in both as another argument of a sensitive variable",
    stackOf({ pem_private_key: "${var.key}" }, {}),
    { plan: true, state: true },
  ],
])("a private key in real Terraform %s", async (_, stack, expected) => {
  await using provider = await startLater();
  await using terraform = await openTerraform(provider);
  await terraform.write(stack);
  const key = `-var=key=${privateKeyPem}`;
  await terraform.succeed("plan", "-out=saved", "-input=false", "-no-color", key);
  const plan = await terraform.succeed("show", "-json", "saved");
  const files = partsOfZip(readFileSync(join(terraform.path, "saved")));
  await terraform.succeed("apply", "-input=false", "-no-color", ...(expected.plan ? [] : [key]), "saved");
  const state = readFileSync(join(terraform.path, "terraform.tfstate"), "utf8");
  const isIn = (texts: readonly string[]) => texts.some((text) => text.includes(keyLine));

  expect(files.length).toBeGreaterThanOrEqual(3);
  expect({ plan: isIn([plan, ...files]), state: isIn([state]) }).toEqual(expected);
  expect(state).toContain("san_dnsnames");
  const again = await terraform.run("plan", "-detailed-exitcode", "-input=false", "-no-color", key);
  expect(again.exitCode).toBe(0);
});

/** Returns the parts of a ZIP archive; a saved plan is a ZIP archive. */
function partsOfZip(archive: Buffer): readonly string[] {
  const parts: string[] = [];
  const directory = Buffer.from("PK\u0001\u0002", "latin1");
  for (let at = archive.indexOf(directory); at !== -1; at = archive.indexOf(directory, at + 4)) {
    const [method, size, local] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 42),
    ];
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    parts.push((method === 0 ? content : inflateRawSync(content)).toString("latin1"));
  }
  return parts;
}
