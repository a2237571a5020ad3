import { Fn, TerraformOutput, Token } from "cdktf";
import {
  Certificate,
  DnsPublication,
  InputError,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  WildcardCertWithAuth,
} from "../../lib";
import { migrate } from "../support/migrate";
import { newApp, newStack, type SynthesizedStack, synthesize } from "../support/synth";

const external = DnsPublication.external();
const certificateMap = "projects/p/locations/global/certificateMaps/web";

function keysOf({ output = {} }: SynthesizedStack): readonly string[] {
  return Object.keys(output).sort();
}

function migrationsIn({ output = {} }: SynthesizedStack): readonly string[] {
  const { value } = output.cert_migration ?? {};
  return Object.keys((value as { readonly migrations: object }).migrations);
}

/** Synthesizes a migration without Cloud DNS. */
function synthesized(change: Partial<ManagedCertMigrationProps> = {}, context?: object): SynthesizedStack {
  const stack = newStack(newApp(context === undefined ? {} : { "cert-migration:rehearsal": context }));
  migrate(stack, { dns: external, ...change });
  return synthesize(stack);
}

describe("outputs: false", () => {
  test("creates no output, and changes nothing else", () => {
    const { output, ...withOutputs } = synthesized();
    expect(Object.keys(output ?? {})).toHaveLength(3);
    expect(synthesized({ outputs: false })).toEqual(withOutputs);
  });

  test("creates no output of WildcardCertWithAuth", () => {
    const stack = newStack();
    const props = { domain: "example.com", dns: external, certificateMap, outputs: false };
    const { migration } = new WildcardCertWithAuth(stack, "wild", props);
    expect(keysOf(synthesize(stack))).toEqual([]);
    expect(migration.outputs).toEqual({});
  });

  test.each([
    ["first", false, true],
    ["last", true, false],
  ])("leaves out the migration that is created %s, and keeps the output of the stack for the other", (_, shop, pay) => {
    const stack = newStack();
    migrate(stack, { outputs: shop }, "shop");
    migrate(stack, { outputs: pay, certificates: [Certificate.managed({ domains: ["pay.example.com"] })] }, "pay");
    expect(migrationsIn(synthesize(stack))).toEqual([shop ? "prod/shop" : "prod/pay"]);
  });

  test("creates the outputs for a rehearsal, which reads them", () => {
    const variant = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 };
    const context = { version: 2, variant, gateCommand: "gate" };
    expect(migrationsIn(synthesized({ outputs: false }, context))).toEqual(["prod/shop"]);
  });
});

test.each([
  ["true", { outputs: true }],
  ["undefined", { outputs: undefined } as object],
])("creates all outputs with %s", (_, props) => {
  expect(keysOf(synthesized(props))).toEqual([
    "cert_migration",
    "shop_certificate_map_id_114086DD",
    "shop_records_to_publish_F3FB1CE9",
  ]);
});

describe("refuses", () => {
  const unquoted = ": write true or false, without quotes";
  test.each<[what: string, outputs: unknown, problem: string]>([
    ["a text", "false", `value-wrong-type: 'outputs' is the text 'false'${unquoted}`],
    ["a number", 0, "value-wrong-type: 'outputs' is the number 0: write true or false"],
    ["null", null, "value-wrong-type: 'outputs' is empty: write true or false"],
    [
      "a token, whose value only Terraform knows",
      Token.asAny(Fn.tobool("a")),
      "reference-not-allowed: 'outputs' is the reference '${tobool(\"a\")}': the value must be known",
    ],
  ])("%s, together with all other mistakes", (_, outputs, problem) => {
    const act = () => migrate(newStack(), { outputs: outputs as boolean, project: "P" });
    expect(problemsOf(act)).toEqual([
      expect.stringContaining(problem),
      expect.stringContaining("project-invalid: 'P' is not a project id"),
    ]);
  });

  test("the property in data, which describes no outputs", () => {
    const data = { certificates: [{ domains: ["example.com"] }], dns: { kind: "external" }, outputs: false };
    const act = () => ManagedCertMigration.fromSpec(newStack(), "shop", data as never);
    expect(problemsOf(act)).toEqual([
      "property-unknown: unknown property 'outputs' of the migration: data has no outputs; pass the props to the constructor",
    ]);
  });
});

describe("an output of a migration", () => {
  test("has the key that its construct returns", () => {
    const stack = newStack();
    const migration = migrate(stack, { dns: external });
    const keys = Object.values(migration.outputs).map(({ friendlyUniqueId }) => friendlyUniqueId);
    expect(["cert_migration", ...keys].sort()).toEqual(keysOf(synthesize(stack)));
    expect(Object.keys(migration.outputs).sort()).toEqual(["certificate_map_id", "records_to_publish"]);
  });

  test("gets another key", () => {
    const stack = newStack();
    migrate(stack).output("certificate_map_id").overrideLogicalId("shop_map");
    expect(keysOf(synthesize(stack))).toEqual(["cert_migration", "shop_map"]);
  });

  test("has a value that another output can contain", () => {
    const stack = newStack();
    const records = migrate(stack, { dns: external }).output("records_to_publish");
    new TerraformOutput(stack, "copy", { value: records.value, staticId: true });
    const { copy, [records.friendlyUniqueId]: original } = synthesize(stack).output ?? {};
    expect(copy?.value).toEqual([expect.objectContaining({ type: "CNAME" })]);
    expect(original?.value).toEqual(copy?.value);
  });

  test("can get another value", () => {
    const stack = newStack();
    const records = migrate(stack, { dns: external }).output("records_to_publish");
    records.value = ["none"];
    expect(synthesize(stack).output?.[records.friendlyUniqueId]?.value).toEqual(["none"]);
  });

  test.each([
    [{}, "unknown output 'records_to_publish'; known: 'certificate_map_id'"],
    [{ outputs: false }, "unknown output 'records_to_publish'; the construct creates no resource of this kind"],
  ])("is not found with %j if it does not exist", (props, message) => {
    expect(() => migrate(newStack(), props).output("records_to_publish")).toThrow(
      new InputError("lookup-name-unknown", `prod/shop: ${message}`),
    );
  });
});

/** Returns code and message of each problem, without the path of the construct. */
function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ code, message }) => `${code}: ${message.replace("prod/shop: ", "")}`);
  }
  return [];
}
