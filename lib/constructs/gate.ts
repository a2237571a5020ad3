import { TerraformResource, TerraformStack, Token } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { type GateCall, gateRun, hasTemplate } from "../gate-call";
import { stepsOf } from "../json/pointer";
import { type Description, isPlain, shapeMistakes, type TokenReader } from "../plan/shape";
import { quote } from "../text/quote";
import { mistakesOfDependencies, waitFor } from "./gate-dependencies";
import type { CommandGateProps } from "./gate-props";
import { nameClass, ownStackOf } from "./kit";
import { plainOf } from "./plain";
import { tokenReader } from "./reference";

/** Default command of gates, without the option `gateCommand`. */
const defaultGateCommand = "npx --no-install cert-migration";

/**
 * A `terraform_data` resource that runs a command once, and again only after a changed trigger, so that a certificate
 * renewal never changes a plan.
 *
 * It replaces cdktf's class for this type, which runs the Terraform binary in every synthesis and fails without the
 * binary.
 *
 * @example
 * ```ts
 * new CommandGate(stack, "gate", {
 *   command: "npx --no-install cert-migration wait --stack .",
 *   triggers: ["generation-1"],
 * });
 * ```
 */
export class CommandGate extends TerraformResource {
  /** Terraform type of the resource. */
  static readonly tfResourceType: string = "terraform_data";
  readonly #triggers: readonly string[];

  /**
   * @param scope construct that gets the gate
   * @param id unique in its scope
   * @param props the properties
   */
  constructor(scope: Construct, id: string, props: CommandGateProps) {
    const { command, environment } = checkedRun(scope, id, props);
    super(scope, id, {
      terraformResourceType: CommandGate.tfResourceType,
      lifecycle: { createBeforeDestroy: true },
      provisioners: [
        { type: "local-exec", command, ...(environment === undefined ? {} : { environment: { ...environment } }) },
      ],
    });
    ownStackOf(this);
    waitFor(this, props.dependsOn ?? []);
    this.#triggers = props.triggers;
  }

  /** Leaves out a provider, which an aspect may set on all resources: the type is built into Terraform. */
  override get terraformMetaArguments(): { [name: string]: unknown } {
    const { provider: _, ...metaArguments } = super.terraformMetaArguments;
    return metaArguments;
  }

  protected override synthesizeAttributes(): { [name: string]: unknown } {
    return { triggers_replace: this.#triggers };
  }
}
nameClass(CommandGate, "CommandGate");

/** Returns the props of a gate that calls `cert-migration`. */
export function gateProps(gateCommand: string | undefined, call: GateCall) {
  return gateRun(gateCommand ?? defaultGateCommand, call);
}

const description: Description = {
  readSchema: () => require("./gate-props.schema.json") as object,
  subject: "the props",
};

/**
 * Returns the props, which are unchecked if they come from JSON or from code without types.
 *
 * @throws InputError with all mistakes, for example `gate-command-invalid`
 */
function checkedRun(scope: Construct, id: string, props: CommandGateProps): CommandGateProps {
  const given = plainOf(Object(props) as CommandGateProps);
  const readToken: TokenReader = (value) =>
    Token.isUnresolved(value) ? tokenReader(TerraformStack.of(scope))(value) : undefined;
  const ofShape = shapeMistakes(withoutConstructs(given), readToken, description);
  const wrong = new Set(ofShape.map(({ pointer, missing }) => missing ?? stepsOf(pointer)[0]));
  const ofValues = [
    ...(wrong.has("command") ? [] : mistakesOfCommand(given.command)),
    ...(wrong.has("environment") ? [] : mistakesOfEnvironment(given.environment ?? {})),
  ];
  const ofDependencies = wrong.has("dependsOn") ? [] : mistakesOfDependencies(scope, given.dependsOn ?? []);
  const problems = [
    ...ofShape.map(({ explain }) => explain()),
    ...ofValues.map((message) => ({ code: "gate-command-invalid", message }) as const),
    ...ofDependencies.map((message) => ({ code: "value-wrong-type", message }) as const),
  ];
  if (problems.length === 0) return given;
  throw new InputError(
    problems.map(({ code, message }) => ({ code, message: `${scope.node.path}/${id}: ${message}` })),
  );
}

/** Returns the props as data, for the description. What a gate depends on is checked apart. */
function withoutConstructs(given: CommandGateProps): CommandGateProps {
  return Array.isArray(given.dependsOn) ? { ...given, dependsOn: given.dependsOn.map(() => "") } : given;
}

function mistakesOfCommand(command: string): readonly string[] {
  if (command.trim() === "") return ["'command' is empty; give the command line that Terraform runs"];
  if (!Token.isUnresolved(command) && !hasTemplate(command)) return [];
  const what = `'command' contains a reference, which a shell would read: ${quote(command)}`;
  return [`${what}; put the value into 'environment', and let the command read the variable`];
}

function mistakesOfEnvironment(environment: object): readonly string[] {
  // A class can have values that a copy of its properties would lose.
  if (!isPlain(environment)) return ["'environment' is an object of a class; map names of variables to texts"];
  const advice = "use letters, digits and underscores";
  return Object.keys(environment)
    .filter((name) => !/^[A-Za-z_]\w*$/.test(name))
    .map((name) => `'environment': ${quote(name)} is not the name of a variable; ${advice}`);
}
