import { TerraformProvider, type TerraformStack } from "cdktf";
import { identityIn } from "./reference";

/** Projects of a stack's resources in a form that can be compared: references and the provider's own among them. */
export class StackProjects {
  readonly #stack: TerraformStack;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  /** What a project is told apart by; the provider's own where none is named, and `null` where that names none either. */
  identityOf(project: string | undefined): string | null {
    return project === undefined ? this.#ofProvider() : identityIn(this.#stack, project);
  }

  /** What stands in construct ids behind what is of another project than the provider's. @param identity as `identityOf` has it */
  suffixOf(identity: string | null): string {
    return identity === null || identity === this.#ofProvider() ? "" : `-in-${identity}`;
  }

  #ofProvider(): string | null {
    for (const child of this.#stack.node.children) {
      if (!TerraformProvider.isTerraformProvider(child) || child.terraformResourceType !== "google") continue;
      const project: unknown = Reflect.get(child, "projectInput");
      if (child.alias === undefined && typeof project === "string") return identityIn(this.#stack, project);
    }
    return null;
  }
}
