import { Aspects, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type Fields, fieldsOf } from "../json/fields";

/** Runs a check at synthesis, when all constructs of the stack exist. */
export function atSynthesis(stack: TerraformStack, check: () => void): void {
  Aspects.of(stack).add({
    visit: (node: IConstruct) => {
      if (node === stack) check();
    },
  });
}

/** Runs an action before any stack of an app is synthesized. */
export function whenPrepared(stack: TerraformStack, act: () => void): void {
  const prepare = stack.prepareStack.bind(stack);
  stack.prepareStack = () => {
    act();
    prepare();
  };
}

/** Methods of `whenResolved` that change nothing that the kit writes. */
const unchanged = new WeakSet<() => unknown>();

/** Returns whether a stack is written by the kit, and not by a method of the app that may change the configuration. */
export function isWrittenByKit({ toTerraform }: TerraformStack): boolean {
  return toTerraform === TerraformStack.prototype.toTerraform || unchanged.has(toTerraform);
}

/** Runs a check when a stack is resolved, after all aspects, in an app and in `Testing.synth`. */
export function whenResolved(stack: TerraformStack, check: () => void): void {
  const isByKit = isWrittenByKit(stack);
  const toTerraform = stack.toTerraform.bind(stack);
  stack.toTerraform = () => {
    check();
    return toTerraform();
  };
  if (isByKit) unchanged.add(stack.toTerraform);
}

/** Changes the configuration of a stack after its constructs have written it. */
export function whenWritten(stack: TerraformStack, change: (configuration: Fields) => Fields): void {
  const toTerraform = stack.toTerraform.bind(stack);
  stack.toTerraform = () => change(fieldsOf(toTerraform()));
}

/** Reports whether the app is synthesized without validations. */
export function skipsValidation(stack: TerraformStack): boolean {
  return Reflect.get(stack.node.root, "skipValidation") === true;
}

/** Values about a whole app, each computed once for a synthesis of the app, not once for each of its stacks. */
export class PerSynthesis<Value> {
  readonly #known = new WeakMap<IConstruct, { readonly value: Value; readonly usedBy: Set<TerraformStack> }>();

  /** @param stack stack that is synthesized; a stack that has used the value begins another synthesis */
  valueFor(stack: TerraformStack, compute: (app: IConstruct) => Value): Value {
    const app = stack.node.root;
    const known = this.#known.get(app);
    const current =
      known === undefined || known.usedBy.has(stack)
        ? { value: compute(app), usedBy: new Set<TerraformStack>() }
        : known;
    this.#known.set(app, current);
    current.usedBy.add(stack);
    return current.value;
  }
}
