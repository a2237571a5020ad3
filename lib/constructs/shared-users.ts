import { Annotations, Aspects, type IAspect, type TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { quote } from "../text/quote";
import { listFirst } from "../text/words";
import { migrationPath } from "./migration-path";

/** Number of resources in a warning; further ones are only counted. */
const mostResources = 3;

/**
 * The migrations that use each resource that belongs to a stack, and not to one of its migrations. Aspects of a
 * migration, or of a construct around it, also visit the shared resources that no migration outside of it uses.
 */
export class SharedUsers {
  readonly #users = new Map<TerraformResource, Set<Construct>>();

  /** Adds a migration that uses a shared resource. */
  add(resource: TerraformResource, user: Construct): void {
    const known = this.#users.get(resource);
    if (known !== undefined) {
      known.add(user);
      return;
    }
    const users = new Set([user]);
    this.#users.set(resource, users);
    // On the resource itself, so that the kit invokes the aspects of the stack first.
    Aspects.of(resource).add({
      visit: (node) => {
        for (const aspect of aspectsFor(resource, [...users])) aspect.visit(node);
      },
    });
  }

  /** Returns the migrations that use a shared resource. */
  of(resource: TerraformResource): readonly Construct[] {
    return [...(this.#users.get(resource) ?? [])];
  }

  /** The shared resources. */
  get resources(): readonly TerraformResource[] {
    return [...this.#users.keys()];
  }

  /** Warns about aspects that do not visit a shared resource that a migration outside of their scope uses too. */
  warn(): void {
    const missed = new Map<IConstruct, Map<TerraformResource, readonly Construct[]>>();
    for (const [resource, users] of this.#users) {
      for (const scope of new Set([...users].flatMap(scopesInStack))) {
        const outside = [...users].filter((user) => !user.node.scopes.includes(scope));
        if (outside.length === 0 || Aspects.of(scope).all.length === 0) continue;
        missed.set(scope, (missed.get(scope) ?? new Map()).set(resource, outside));
      }
    }
    for (const [scope, resources] of missed) warnOnce(scope, messageOf(scope, resources));
  }
}

/** Returns the aspects of the constructs that contain all users, outermost first, without those of the stack. */
function aspectsFor(resource: TerraformResource, users: readonly Construct[]): ReadonlySet<IAspect> {
  const [first] = users;
  const scopes = first === undefined ? [] : scopesInStack(first);
  const aspects = scopes
    .filter((scope) => users.every((user) => user.node.scopes.includes(scope)))
    .flatMap((scope) => Aspects.of(scope).all);
  const ofStack = new Set(resource.node.scopes.flatMap((scope) => (scope === resource ? [] : Aspects.of(scope).all)));
  return new Set(aspects.filter((aspect) => !ofStack.has(aspect)));
}

/** Returns a construct and the constructs around it up to its stack, outermost first. */
function scopesInStack(construct: Construct): readonly IConstruct[] {
  const { scopes } = construct.node;
  return scopes.slice(scopes.indexOf(TerraformStack.of(construct)) + 1);
}

function messageOf(scope: IConstruct, missed: ReadonlyMap<TerraformResource, readonly Construct[]>): string {
  const resources = listFirst(
    [...missed.keys()].map(({ node }) => quote(node.path)),
    mostResources,
  );
  const users = [...new Set([...missed.values()].flat())].map(migrationPath);
  return `aspects of '${scope.node.path}' do not change ${resources}, shared with ${listFirst(users, mostResources)}; add the aspects to the stack [aspect-misses-shared-resource]`;
}

/** Adds a warning, unless an earlier synthesis of the app has added it. */
function warnOnce(scope: IConstruct, message: string): void {
  if (scope.node.metadata.some(({ data }) => data === message)) return;
  Annotations.of(scope).addWarning(message);
}
