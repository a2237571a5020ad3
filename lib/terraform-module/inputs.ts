import { type Fields, fieldsOf } from "../json/fields";
import { type InputRole, type InputRule, roleAt } from "./input-roles";
import { exampleOf, type InputUse, shapeOfUses, typeTextOf } from "./input-types";

/** Reference to a variable within `${…}`, with what follows its name. */
const variableReference = /(?<!\$)\$\{ *var\.([^\s.[\]{}]+)([^{}]*?) *\}/g;

/** A use of a variable in a migration. */
interface PlacedUse extends InputUse {
  readonly role: InputRole;
}

/**
 * Returns the variables to which a migration refers, as Terraform's `variable` blocks: with type, description, and
 * validations that fail before Terraform plans anything.
 */
export function inputsOfMigration(spec: object): Readonly<Record<string, Fields>> {
  return Object.fromEntries([...usesIn(spec)].map(([name, uses]) => [name, blockOf(name, uses)]));
}

function usesIn(spec: object): ReadonlyMap<string, readonly PlacedUse[]> {
  const found = new Map<string, PlacedUse[]>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value === "string") {
      for (const [whole, name = "", path = ""] of value.matchAll(variableReference)) {
        const role = roleAt(place, whole === value ? "whole" : "part");
        found.set(name, [...(found.get(name) ?? []), { path, role }]);
      }
    } else if (typeof value === "object" && value !== null) {
      const placeOf = Array.isArray(value) ? itemPlace : memberPlace;
      for (const [key, member] of Object.entries(value)) walk(member, placeOf(place, key));
    }
  };
  walk(spec, "");
  return found;
}

/** Returns the place of a member, as messages about a spec write it: `dns.zones["example.com"]`. */
function memberPlace(parent: string, key: string): string {
  if (/(?:^|\.)(?:zones|labels|previous)$/.test(parent)) return `${parent}["${key}"]`;
  return parent === "" ? key : `${parent}.${key}`;
}

function itemPlace(parent: string, index: string): string {
  return `${parent}[${index}]`;
}

function blockOf(name: string, uses: readonly PlacedUse[]): Fields {
  const shape = shapeOfUses(uses);
  const rules = uses.map(({ path, role }) => ({ path, rule: role.rule }));
  return {
    description: sentenceOf(uses.map(({ role }) => role.meaning)),
    nullable: false,
    ...(uses.some(({ role }) => role.isSecret) ? { sensitive: true } : {}),
    type: typeTextOf(shape),
    // Uses that do not fit together have no rule that a value could pass.
    ...(shape.kind === "any" ? {} : { validation: validationsOf(name, rules) }),
  };
}

/** A rule for a variable, or for a value within it. */
interface PlacedRule extends InputUse {
  readonly rule: InputRule;
}

/** Returns Terraform's `validation` blocks of a variable, one for each rule and place. */
export function validationsOf(name: string, rules: readonly PlacedRule[]): readonly Fields[] {
  const all = rules.map(({ path, rule: { condition, must } }) => {
    const checked = condition.replaceAll("VALUE", () => `var.${name}${path}`);
    return {
      // A value that the variable lacks breaks the rule, and is no error of the expression.
      condition: `\${${path === "" ? checked : `try(${checked}, false)`}}`,
      error_message: `The variable '${name}${path}' must ${must}.`,
    };
  });
  return [...new Map(all.map((validation) => [JSON.stringify(validation), validation])).values()];
}

/** Number of meanings that a description lists. */
const listedMeanings = 3;

function sentenceOf(meanings: readonly string[]): string {
  const different = [...new Set(meanings)];
  const listed = different.slice(0, listedMeanings).join("; ");
  return different.length > listedMeanings ? `${listed}; and ${different.length - listedMeanings} more` : listed;
}

/**
 * Returns a value for each variable to which a migration refers that has the type and passes the rules, for the tests
 * of a module.
 */
export function exampleInputsOf(spec: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...usesIn(spec)].map(([name, uses]) => [
      name,
      exampleOf(uses.map(({ path, role }) => ({ path, example: role.rule.example }))),
    ]),
  );
}

/** Returns whether a variable block is of a secret, whose value no plan shows. */
export function isSecret(block: unknown): boolean {
  const { sensitive, ephemeral } = fieldsOf(block);
  return sensitive === true || ephemeral === true;
}
