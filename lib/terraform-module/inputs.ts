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
        found.set(name, [...(found.get(name) ?? []), { path, role: roleAt(place, whole === value) }]);
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, placeOf(place, key, Array.isArray(value)));
    }
  };
  walk(spec, "");
  return found;
}

/** Returns the place of a member, as messages about a spec write it: `dns.zones["example.com"]`. */
function placeOf(parent: string, key: string, isItem: boolean): string {
  if (isItem) return `${parent}[${key}]`;
  if (/(?:^|\.)(?:zones|labels|previous)$/.test(parent)) return `${parent}["${key}"]`;
  return parent === "" ? key : `${parent}.${key}`;
}

function blockOf(name: string, uses: readonly PlacedUse[]): Fields {
  const shape = shapeOfUses(uses);
  const isText = uses.every(({ path }) => path === "");
  return {
    description: sentenceOf(uses.map(({ role }) => role.meaning)),
    nullable: false,
    ...(uses.some(({ role }) => role.isSecret) ? { sensitive: true } : {}),
    type: typeTextOf(shape),
    ...(isText
      ? {
          validation: validationsOf(
            name,
            uses.map(({ role }) => role.rule),
          ),
        }
      : {}),
  };
}

/** Returns Terraform's `validation` blocks of a variable, one for each rule. */
export function validationsOf(name: string, rules: readonly InputRule[]): readonly Fields[] {
  return [...new Set(rules)].map(({ condition, must }) => ({
    condition: `\${${condition.replaceAll("VALUE", `var.${name}`)}}`,
    error_message: `The variable '${name}' must ${must}.`,
  }));
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
      exampleOf(
        shapeOfUses(uses),
        uses.find(({ role }) => role.rule.example !== "example")?.role.rule.example ?? "example",
      ),
    ]),
  );
}

/** Returns whether a variable block is of a secret, whose value no plan shows. */
export function isSecret(block: unknown): boolean {
  const { sensitive, ephemeral } = fieldsOf(block);
  return sensitive === true || ephemeral === true;
}
