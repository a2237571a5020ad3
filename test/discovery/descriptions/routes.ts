import { type Description, type Method, methodsOf, type Schema } from "./documents";

export interface Match {
  readonly method: string;
  /** Decoded values of the path's variables. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Returns every method that matches a request line by verb, path and the patterns of the path parameters. A custom verb
 * at the end of a path does not belong to a name, although the patterns of names allow a colon.
 */
export function matches(documents: readonly Description[], verb: string, path: string): readonly Match[] {
  const fitting = documents.flatMap((document) =>
    methodsOf(document)
      .filter((method) => method.httpMethod === verb)
      .flatMap((method) => {
        const values = bind(document, method, path);
        return values === undefined
          ? []
          : [{ isCustom: customVerb.test(method.path), method: method.id, path: values }];
      }),
  );
  const isVerb = fitting.some(({ isCustom }) => isCustom);
  return fitting
    .filter(({ isCustom }) => isCustom || !isVerb)
    .map(({ method, path: values }) => ({ method, path: values }));
}

const customVerb = /\}:\w+$/;

function bind(document: Description, method: Method, path: string): Readonly<Record<string, string>> | undefined {
  const template = `/${document.servicePath}${method.path}`;
  const names: string[] = [];
  const source = template.replace(/\{(\+?)(\w+)\}|[^{]+/g, (text, reserved: string | undefined, name?: string) => {
    if (name === undefined) return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(name);
    return reserved === "+" ? "(.+)" : "([^/]+)";
  });
  const found = new RegExp(`^${source}$`).exec(path);
  if (found === null) return undefined;
  const values = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]));
  const fits = names.every((name) => wholeMatch(method.parameters[name], values[name] ?? ""));
  return fits ? values : undefined;
}

/** Returns whether the whole value matches the pattern, even if the pattern is not anchored. */
export function wholeMatch(parameter: Schema | undefined, value: string): boolean {
  return parameter?.pattern === undefined || new RegExp(`^(?:${parameter.pattern})$`, "u").test(value);
}

/** Returns values for a method's required parameters that match their patterns and enums. */
export function sampleParameters(method: Method): Readonly<Record<string, string>> {
  const entries = Object.entries(method.parameters).filter(([, parameter]) => parameter.required);
  return Object.fromEntries(entries.map(([name, parameter]) => [name, sampleValue(name, parameter)]));
}

function sampleValue(name: string, { enum: values, pattern = "" }: Schema): string {
  if (values !== undefined) return values[0] ?? "";
  if (/^\^.*\[\^\/\]\+\$$/.test(pattern)) return pattern.slice(1, -1).replaceAll("[^/]+", "x1");
  return name.toLowerCase().slice(0, 20);
}
