import { Fn, Lazy } from "cdktf";
import { CommandGate, type CommandGateProps } from "../../lib";
import { InputError } from "../../lib/errors";
import { migrate, refusal } from "../support/migrate";
import { newStack, onlyResource, synthesize } from "../support/synth";

/** Returns code and message of each problem, without the path of the construct. */
function mistakesOf(props: unknown): readonly string[] {
  try {
    new CommandGate(newStack(), "gate", props as CommandGateProps);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ code, message }) => `${code}: ${message.replace("prod/gate: ", "")}`);
  }
}

test("passes values to a command by its environment", () => {
  const stack = newStack();
  const environment = {
    ID: "${google_a.b.id}",
    NAME: Fn.upper("a"),
    TEXT: Lazy.stringValue({ produce: () => "b; c" }),
  };
  new CommandGate(stack, "gate", { command: "./check.sh", environment, triggers: ["a"] });
  expect(onlyResource(synthesize(stack), "terraform_data").provisioner).toEqual([
    {
      "local-exec": {
        command: "./check.sh",
        environment: { ID: "${google_a.b.id}", NAME: '${upper("a")}', TEXT: "b; c" },
      },
    },
  ]);
});

test("writes no environment without values", () => {
  const stack = newStack();
  new CommandGate(stack, "gate", { command: "echo $${HOME}", triggers: [] });
  expect(onlyResource(synthesize(stack), "terraform_data").provisioner).toEqual([
    { "local-exec": { command: "echo $${HOME}" } },
  ]);
});

const inCommand = "gate-command-invalid: 'command' contains a reference";
const noCommand = "property-missing: the props lacks 'command'";
const noTriggers = "property-missing: the props lacks 'triggers'";
const noText = "value-wrong-type: 'environment.A' is";

class Variables {
  get A(): string {
    return "b";
  }
}

test.each<[what: string, props: unknown, mistakes: readonly string[]]>([
  ["a reference", { command: "echo ${var.a}", triggers: [] }, [inCommand]],
  ["a directive", { command: "echo %{ if true }a%{ endif }", triggers: [] }, [inCommand]],
  ["a function of the kit", { command: `echo ${Fn.upper("a")}`, triggers: [] }, [inCommand]],
  ["a lazy text", { command: Lazy.stringValue({ produce: () => "id" }), triggers: [] }, [inCommand]],
  ["no command", { triggers: [] }, [noCommand]],
  ["an empty command", { command: " ", triggers: [] }, ["gate-command-invalid: 'command' is empty"]],
  ["a number as command", { command: 1, triggers: [] }, ["value-wrong-type: 'command' is the number 1"]],
  ["no triggers", { command: "true" }, [noTriggers]],
  ["a number as trigger", { command: "true", triggers: [1] }, ["value-wrong-type: 'triggers[0]' is the number 1"]],
  ["nothing", {}, [noCommand, noTriggers]],
  ["null", null, [noCommand, noTriggers]],
  [
    "a name that is not of a variable",
    { command: "a", triggers: [], environment: { "A B": "c" } },
    ["gate-command-invalid: 'environment': 'A B' is not the name"],
  ],
  ["a number as variable", { command: "a", triggers: [], environment: { A: 1 } }, [`${noText} the number 1`]],
  [
    "a token of a list as variable",
    { command: "a", triggers: [], environment: { A: Lazy.listValue({ produce: () => ["a"] }) } },
    [`${noText} a list`],
  ],
  [
    "values to depend on that are neither constructs nor addresses",
    { command: "a", triggers: [], dependsOn: ["a.b", 1, null, {}, [], () => "a.b"] },
    [
      "value-wrong-type: 'dependsOn[1]' is of the type number: use a construct, a milestone, or an address such as",
      "value-wrong-type: 'dependsOn[2]' is empty: use",
      "value-wrong-type: 'dependsOn[3]' is of the type object: use",
      "value-wrong-type: 'dependsOn[4]' is of the type object: use",
      "value-wrong-type: 'dependsOn[5]' is of the type function: use",
    ],
  ],
  [
    "a construct of another app to depend on",
    { command: "a", triggers: [], dependsOn: [newStack()] },
    ["value-wrong-type: 'dependsOn[0]' is the construct 'prod' of another app: use a construct of this app"],
  ],
  [
    "a text in place of a list to depend on",
    { command: "a", triggers: [], dependsOn: "a.b" },
    ["value-wrong-type: 'dependsOn' is the text 'a.b': write a list"],
  ],
  [
    "an unknown property",
    { command: "a", triggers: [], depends_on: ["b.c"] },
    ["property-unknown: unknown property 'depends_on' of the props"],
  ],
  [
    "a list of variables",
    { command: "a", triggers: [], environment: "A=b" },
    ["value-wrong-type: 'environment' is the text 'A=b': write a mapping"],
  ],
  [
    "a map of variables",
    { command: "a", triggers: [], environment: new Map() },
    ["value-wrong-type: 'environment' is"],
  ],
  [
    "variables of a class",
    { command: "a", triggers: [], environment: new Variables() },
    ["gate-command-invalid: 'environment' is an object of a class"],
  ],
  [
    "several mistakes",
    { command: "echo ${var.a}", environment: { "A B": 1 }, trigers: [] },
    [
      "property-missing: the props lacks 'triggers'",
      "property-unknown: unknown property 'trigers'",
      "value-wrong-type: 'environment",
      inCommand,
    ],
  ],
])("refuses a gate with %s", (_, props, mistakes) => {
  expect(mistakesOf(props)).toEqual(mistakes.map((one) => expect.stringContaining(one)));
});

test("accepts tokens in variables and triggers", () => {
  const token = Lazy.stringValue({ produce: () => "a" });
  expect(mistakesOf({ command: "a", triggers: [token], environment: { A: token } })).toEqual([]);
});

test.each([
  ["npx ${var.tool}", "reference-not-allowed"],
  ["%{ if true }npx%{ endif }", "expression-not-allowed"],
  [`${Fn.upper("npx")} cert-migration`, "reference-not-allowed"],
])("refuses 'gateCommand' with a reference: %s", (gateCommand, code) => {
  expect(refusal(() => migrate(newStack(), { gateCommand }))).toEqual([code]);
});
