import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import {
  type App,
  Aspects,
  Fn,
  Lazy,
  TerraformElement,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
  Token,
} from "cdktf";
import { CommandGate, DnsPublication, type ManagedCertMigration } from "../../lib";
import { splitByTokens } from "../../lib/constructs/token-parts";
import { migrate } from "../support/migrate";
import { newApp, newStack } from "../support/synth";

const text = Token.asString({ resolve: () => "a" });
const list = Token.asList({ resolve: () => ["a"] });
const number = Token.asNumber({ resolve: () => 1 });
const mapping = Token.asStringMap({ resolve: () => ({}) });

/** Resolves itself; its own properties are plain. */
class Resolvable {
  readonly creationStack = ["plain"];

  resolve() {
    return "a";
  }
}
const resolvable = new Resolvable();

test.each<[string, unknown, unknown, unknown]>([
  [
    "plain values",
    { a: "text ${b.c}", b: 1, c: true, d: null, e: undefined, f: ["x", undefined], g: { h: "y", i: undefined }, j: {} },
    undefined,
    { a: "text ${b.c}", b: 1, c: true, d: null, f: ["x"], g: { h: "y" }, j: {} },
  ],
  ["a text with a token", { a: `x-${text}`, b: "plain" }, { a: `x-${text}` }, { b: "plain" }],
  ["a number with a token", { a: number, b: 300 }, { a: number }, { b: 300 }],
  ["a number with a token in a text", { a: `${number}s`, b: "1e5" }, { a: `${number}s` }, { b: "1e5" }],
  ["a list that is a token", { a: list, b: ["plain"] }, { a: list }, { b: ["plain"] }],
  ["a list with a token in it, as a whole", { a: ["plain", text] }, { a: ["plain", text] }, {}],
  ["a list with a token deep in it", { a: [{ b: text }] }, { a: [{ b: text }] }, {}],
  ["an object that resolves itself", { a: { b: resolvable, c: "y" } }, { a: { b: resolvable } }, { a: { c: "y" } }],
  ["a mapping with a token as its key, as a whole", { a: { [text]: "x", b: "y" } }, { a: { [text]: "x", b: "y" } }, {}],
  ["a mapping that is a token", { a: mapping }, { a: mapping }, {}],
  ["a value of such a mapping", Object.values(mapping), Object.values(mapping), undefined],
])("splits %s", (_, block, withTokens, plain) => {
  expect(splitByTokens(block)).toStrictEqual({
    ...(withTokens !== undefined && { withTokens }),
    ...(plain !== undefined && { plain }),
  });
});

/** A stack that could change its configuration: the kit then resolves it as a whole. */
class ResolvedAsWhole extends TerraformStack {
  written: unknown;

  override toTerraform() {
    const written = super.toTerraform();
    this.written = structuredClone(written);
    return written;
  }
}

/** An element that writes to the block of a resource. */
class Addition extends TerraformElement {
  readonly #resource: TerraformResource;
  readonly #attributes: object;

  constructor(resource: TerraformResource, attributes: object) {
    super(TerraformStack.of(resource), "addition");
    this.#resource = resource;
    this.#attributes = attributes;
  }

  override toTerraform() {
    const { terraformResourceType: type, friendlyUniqueId: id } = this.#resource;
    return { resource: { [type]: { [id]: this.#attributes } } };
  }
}

const resourceOf = (migration: ManagedCertMigration, type: string) =>
  migration.node.findAll().find((node) => Reflect.get(node, "terraformResourceType") === type) as TerraformResource;
const certificateOf = (migration: ManagedCertMigration) =>
  resourceOf(migration, "google_certificate_manager_certificate");

test.each<[string, (stack: TerraformStack) => void]>([
  ["no tokens", (stack) => void migrate(stack)],
  [
    "tokens in its props",
    (stack) => {
      const zone = new TerraformVariable(stack, "zone", { type: "string" }).stringValue;
      const provider = new GoogleProvider(stack, "other", { alias: "other", project: "other-project" });
      migrate(stack, { provider, dns: DnsPublication.cloudDns({ zones: { "example.com": zone } }), gate: "wait" });
    },
  ],
  ["records to publish", (stack) => void migrate(stack, { dns: DnsPublication.external(), gate: "precondition" })],
  [
    "overrides of its resources",
    (stack) => {
      migrate(stack).map?.addOverride("labels", { team: Fn.lower("WEB"), plain: "yes", none: undefined });
    },
  ],
  [
    "arguments with tokens",
    (stack) => {
      const certificate = certificateOf(migrate(stack));
      const number = new TerraformVariable(stack, "number", { type: "number" }).numberValue;
      certificate.addOverride("labels", { a: `x ${number}`, b: ["plain", Fn.lower("X")], c: { d: number, e: "f" } });
      certificate.addOverride("description", Token.asString(undefined));
      certificate.dependsOn = [certificate.fqn, "google_x.y"];
      certificate.provisioners = [{ type: "local-exec", command: Fn.join("", ["echo"]) }];
      certificate.connection = { type: "ssh", host: "h", port: number };
    },
  ],
  [
    "a count, an import and a move",
    (stack) => {
      const migration = migrate(stack);
      certificateOf(migration).count = Token.asNumber("${var.count}");
      migration.map?.importFrom("some/id");
      resourceOf(migration, "google_certificate_manager_certificate_map_entry").moveToId("google_x.y");
    },
  ],
  [
    "an aspect",
    (stack) => {
      migrate(stack);
      Aspects.of(stack).add({
        visit: (node) => {
          if (TerraformResource.isTerraformResource(node)) node.addOverride("labels.team", Fn.lower("WEB"));
        },
      });
    },
  ],
  [
    "an override of its resource by the stack",
    (stack) => {
      const { terraformResourceType: type, friendlyUniqueId: id } = certificateOf(migrate(stack));
      stack.addOverride(`resource.${type}.${id}.scope`, undefined);
    },
  ],
  [
    "an override of its output by the stack",
    (stack) => {
      migrate(stack);
      stack.addOverride("output.cert_migration.description", undefined);
    },
  ],
  [
    "another element that adds to its resource",
    (stack) => {
      new Addition(certificateOf(migrate(stack)), { labels: { a: "b" } });
    },
  ],
  [
    "another element that changes its resource",
    (stack) => {
      new Addition(certificateOf(migrate(stack)), { name: "changed", managed: { domains: ["added.example.com"] } });
    },
  ],
])("a stack of a migration with %s is what the kit alone would write", (_, build) => {
  const synthesized = <Stack extends TerraformStack>(kind: new (scope: App, id: string) => Stack) => {
    const app = newApp();
    const stack = new kind(app, "prod");
    new GoogleProvider(stack, "google", { project: "my-project" });
    build(stack);
    app.synth();
    return stack;
  };
  expect(synthesized(TerraformStack).toTerraform()).toStrictEqual(synthesized(ResolvedAsWhole).written);
});

test.each<[string, (stack: TerraformStack) => unknown]>([
  ["first", () => undefined],
  ["after a gate", (stack) => new CommandGate(stack, "gate", { command: "true", triggers: ["a"] })],
])("the kit resolves only the parts with tokens of a migration that is created %s", (_, before) => {
  const app = newApp();
  const stack = newStack(app);
  before(stack);
  const certificate = certificateOf(migrate(stack));
  const isSplit: boolean[] = [];
  const produce = () => void isSplit.push(Object.hasOwn(certificate, "toTerraform"));
  new TerraformOutput(stack, "probe", { value: Lazy.anyValue({ produce }) });
  app.synth();
  expect(isSplit).toEqual([true, true]);
});

test("an app still has the outputs of other stacks to which a migration refers, and whole blocks", () => {
  const app = newApp();
  const other = newStack(app, "other");
  const certificate = new CertificateManagerCertificate(other, "certificate", { name: "made" });
  const stack = newStack(app);
  const { map } = migrate(stack);
  map?.addOverride("description", certificate.id);
  app.synth();
  expect(Object.keys(other.toTerraform().output)).toHaveLength(1);
  const [block] = Object.values<Record<string, unknown>>(
    stack.toTerraform().resource.google_certificate_manager_certificate_map,
  );
  expect(block).toMatchObject({
    name: expect.any(String),
    description: expect.stringContaining("terraform_remote_state"),
  });
});
