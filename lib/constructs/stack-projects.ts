import { TerraformProvider, type TerraformStack } from "cdktf";
import { InputError } from "../errors";
import { isReference } from "../plan";
import { isProjectId, projectIdForm } from "../resource-names";
import { quote } from "../text/quote";
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

  /**
   * Refuses a project of the provider that can't exist. The provider takes an empty one from the environment.
   *
   * @throws InputError `project-invalid`
   */
  checkProvider(): void {
    const { path, project = "" } = this.#provider() ?? {};
    if (project === "" || isReference(project) || isProjectId(project)) return;
    throw new InputError(
      "project-invalid",
      `${path}: 'project' ${quote(project)} is not a project id; use the project's id, for example my-project-123456: ${projectIdForm}`,
    );
  }

  #ofProvider(): string | null {
    const provider = this.#provider();
    return provider === undefined ? null : identityIn(this.#stack, provider.project);
  }

  #provider(): { readonly path: string; readonly project: string } | undefined {
    for (const child of this.#stack.node.children) {
      if (!TerraformProvider.isTerraformProvider(child) || child.terraformResourceType !== "google") continue;
      const project: unknown = Reflect.get(child, "projectInput");
      if (child.alias === undefined && typeof project === "string") return { path: child.node.path, project };
    }
    return undefined;
  }
}
