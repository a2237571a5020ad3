import type { TerraformProvider, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import type { Problem } from "../errors";
import { isReference, type MigrationPlan, namesInPlan, type PlannedName } from "../plan";
import { packageVersion } from "./installed";
import { migrationPath } from "./migration-path";
import { identityIn } from "./reference";
import type { StackProjects } from "./stack-provider";

/** A migration whose resources have names. */
export interface NameUser {
  readonly owner: Construct;
  readonly plan: MigrationPlan;
  readonly provider: TerraformProvider | undefined;
  /** Id of the map that has the entries; undefined for a map that does not exist yet, and without a map. */
  readonly mapId: string | undefined;
  /** Whether the names come from `naming`. Derived names contain a digest of the migration's name. */
  readonly hasNaming: boolean;
}

/** A name that a migration of the app uses. */
interface NameClaim {
  readonly construct: string;
  readonly resource: string;
  /** Differs for different resources, and is the same for a resource that migrations share. */
  readonly identity: string;
  readonly hasNaming: boolean;
}

/** Key of the names of all stacks, in the app. Several copies of this package share them. */
const appNames = Symbol.for(`cdktf-google-cert-migration/names/${packageVersion}`);

function claimsOf(app: IConstruct): Map<string, NameClaim> {
  const known: Map<string, NameClaim> | undefined = Reflect.get(app, appNames);
  if (known !== undefined) return known;
  const claims = new Map<string, NameClaim>();
  Object.defineProperty(app, appNames, { value: claims });
  return claims;
}

/** Names of the resources of all migrations of an app, which `naming` may give to two of them. */
export class NameClaims {
  readonly #stack: TerraformStack;
  readonly #projects: StackProjects;

  constructor(stack: TerraformStack, projects: StackProjects) {
    this.#stack = stack;
    this.#projects = projects;
  }

  /**
   * Returns a problem for each name that another migration of the app uses for another resource, in the same project
   * and location. Stacks are compared if their projects are known before Terraform runs.
   */
  collisions(user: NameUser): readonly Problem[] {
    const claims = claimsOf(this.#stack.node.root);
    return namesInPlan(user.plan).flatMap((named): readonly Problem[] => {
      const { kind, name } = named;
      const claim = claims.get(this.#keyOf(named, user));
      const same = this.#claimOf(named, user);
      if (claim === undefined || claim.identity === same.identity) return [];
      if (!claim.hasNaming && !same.hasNaming) return [];
      const message = `the name '${name}' is used for the ${claim.resource} of ${claim.construct} and for the ${same.resource} of ${same.construct}, which are of the same kind '${kind}' in the same place; let 'naming' return different names, for example with the last 12 characters of the suggestion`;
      return [{ code: "resource-name-in-two-constructs", message }];
    });
  }

  /** Adds the names of a migration that has no problem. */
  add(user: NameUser): void {
    const claims = claimsOf(this.#stack.node.root);
    for (const named of namesInPlan(user.plan)) {
      const key = this.#keyOf(named, user);
      if (!claims.has(key)) claims.set(key, this.#claimOf(named, user));
    }
  }

  #claimOf({ resource, isShared }: PlannedName, { owner, hasNaming }: NameUser): NameClaim {
    const construct = migrationPath(owner);
    return { construct, resource, identity: isShared ? resource : `${construct} ${resource}`, hasNaming };
  }

  #keyOf({ kind, name, project, location }: PlannedName, { owner, mapId, provider }: NameUser): string {
    const place = this.#inApp(this.#projects.identityOf(project, provider));
    const map = kind === "entry" ? (mapId === undefined ? migrationPath(owner) : this.#inApp(mapId)) : "";
    return JSON.stringify([kind, place, location, map, this.#inApp(name)]);
  }

  /** Returns the identity of a value in the app. A value that only Terraform knows belongs to its stack. */
  #inApp(value: string | null): string {
    const identity = value === null ? null : identityIn(this.#stack, value);
    return identity === null || isReference(identity) ? `${identity} of ${this.#stack.node.path}` : identity;
  }
}
