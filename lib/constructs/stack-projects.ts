import { TerraformProvider, type TerraformStack } from "cdktf";
import { InputError } from "../errors";
import { isReference } from "../plan";
import { isProjectId, projectIdForm } from "../resource-names";
import { quote } from "../text/quote";
import { identityIn } from "./reference";

/** Projects of a stack's resources, including references and the provider's project, in a form that can be compared. */
export class StackProjects {
  readonly #stack: TerraformStack;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  /** Returns the identity of a project. Without a project, uses the provider's project; `null` if the provider has no project either. */
  identityOf(project: string | undefined): string | null {
    return project === undefined ? this.#ofProvider() : identityIn(this.#stack, project);
  }

  /** Returns the suffix of construct ids for resources outside the provider's project. @param identity result of `identityOf` */
  suffixOf(identity: string | null): string {
    return identity === null || identity === this.#ofProvider() ? "" : `-in-${identity}`;
  }

  /**
   * Refuses an invalid project of the provider. If the project is empty, the provider uses the environment.
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
