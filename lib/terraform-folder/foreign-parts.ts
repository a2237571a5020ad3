/** Takes parts of other providers out of the copy of a configuration. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, fieldsOf, isFields, listOf } from "../json/fields";
import { bareTextOf, blocksIn, bodyEnd } from "./hcl-text";
import type { ModuleFolder } from "./read-folder";

/** What a copy leaves out. */
export interface ForeignParts {
  /** Local names of providers whose blocks keep only their alias, for example `aws`. */
  readonly emptied: ReadonlySet<string>;
  /** Returns whether the blocks of a type are left out, for example of `aws_instance`. */
  readonly isLeftOut: (type: string) => boolean;
}

/** Returns a text in native syntax without the parts; its lines stay in their places. */
export function withoutForeignParts(text: string, { emptied, isLeftOut }: ForeignParts): string {
  const { bare, originalAt } = bareTextOf(text);
  let result = text;
  const blank = (from: number, to: number, kept = "") => {
    const [first = "", ...others] = result.slice(from, to).replace(/[^\n]/g, "");
    // An argument on the line of the opening brace would have to end on that line.
    result = `${result.slice(0, from)}${first} ${kept} ${others.join("")}${result.slice(to)}`;
  };
  const blocks = [...blocksIn(bare)].reverse();
  for (const { type, labels, index = 0 } of blocks) {
    const open = bare.indexOf("{", index);
    const [from, body, to] = [originalAt(index), originalAt(open) + 1, originalAt(bodyEnd(bare, open + 1))];
    const [label = ""] = labels;
    if ((type === "resource" || type === "data") && labels.length === 2 && isLeftOut(label)) blank(from, to);
    if (type === "provider" && labels.length === 1 && emptied.has(label)) {
      const alias = /(?<![\w.-])alias[ \t]*=[ \t]*"[\w-]+"/.exec(bare.slice(open, bodyEnd(bare, open + 1)))?.[0] ?? "";
      blank(body, to - 1, alias);
    }
  }
  return result;
}

/** Returns a configuration in JSON syntax without the parts. */
export function withoutForeignJson(json: Fields, { emptied, isLeftOut }: ForeignParts): Fields {
  const withoutTypes = (blocks: unknown) =>
    Object.fromEntries(Object.entries(fieldsOf(blocks)).filter(([type]) => !isLeftOut(type)));
  const emptiedBody = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(emptiedBody);
    const { alias } = fieldsOf(body);
    return alias === undefined ? {} : { alias };
  };
  const providers = Object.entries(fieldsOf(json.provider)).map(([name, body]) => [
    name,
    emptied.has(name) ? emptiedBody(body) : body,
  ]);
  return {
    ...json,
    ...(isFields(json.provider) ? { provider: Object.fromEntries(providers) } : {}),
    ...(isFields(json.resource) ? { resource: withoutTypes(json.resource) } : {}),
    ...(isFields(json.data) ? { data: withoutTypes(json.data) } : {}),
  };
}

/** A part that can't be left out, because another part refers to it. */
export interface UsedPart {
  readonly address: string;
  /** Name of the file that refers to it. */
  readonly file: string;
}

/**
 * Returns the addresses of the blocks of a module that are left out, and those of them to which the rest of the module
 * refers.
 */
export function leftOutParts(
  { path, files }: ModuleFolder,
  parts: ForeignParts,
): { readonly leftOut: readonly string[]; readonly used: readonly UsedPart[] } {
  const texts = files.map(({ name, json }) => {
    const text = readFileSync(join(path, name), "utf8");
    const rest =
      json === undefined
        ? bareTextOf(withoutForeignParts(text, parts)).bare
        : JSON.stringify(withoutForeignJson(json, parts));
    return { name, rest, found: json === undefined ? partsOfText(text, parts) : partsOfJson(json, parts) };
  });
  const leftOut = texts.flatMap(({ found }) => found);
  const used = leftOut.flatMap((address) => {
    const reference = new RegExp(`(?<![\\w.-])${address.replaceAll(".", "\\.")}(?![\\w-])`);
    const user = texts.find(({ rest }) => reference.test(rest));
    return user === undefined ? [] : [{ address, file: user.name }];
  });
  return { leftOut, used };
}

function partsOfText(text: string, { isLeftOut }: ForeignParts): readonly string[] {
  return blocksIn(bareTextOf(text).bare).flatMap(({ type, labels: [label = "", name] }) =>
    (type === "resource" || type === "data") && name !== undefined && isLeftOut(label)
      ? [addressOf(type, label, name)]
      : [],
  );
}

function partsOfJson(json: Fields, { isLeftOut }: ForeignParts): readonly string[] {
  return (["resource", "data"] as const).flatMap((kind) =>
    [json[kind], ...listOf(json[kind])].flatMap((blocks) =>
      Object.entries(fieldsOf(blocks)).flatMap(([type, named]) =>
        isLeftOut(type) ? Object.keys(fieldsOf(named)).map((name) => addressOf(kind, type, name)) : [],
      ),
    ),
  );
}

/** Returns an address as references write it, for example `data.aws_region.here`. */
function addressOf(kind: "resource" | "data", type: string, name: string): string {
  return `${kind === "data" ? "data." : ""}${type}.${name}`;
}
