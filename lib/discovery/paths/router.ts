import { defined } from "../../json/defined";
import type { DescriptionDocument } from "../document";
import type { Method } from "../method";
import { servicePathOf } from "./base-address";
import { type BindingBudget, bindingBudget, isBindable, type PathBinder, pathBinder } from "./path-binding";
import { decodeLiteral, encodeLiteral, parsePathTemplate, shapeOf, type TemplatePart } from "./path-template";

interface Route {
  readonly method: Method;
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly upload?: "simple" | "resumable";
  readonly alternatives?: readonly Method[];
}

interface Leaf {
  readonly method: Method;
  readonly segments: readonly (readonly TemplatePart[])[];
  /** Created when a URL matches the path's shape for the first time. Most methods never need one. */
  bind?: PathBinder;
  readonly upload?: "simple" | "resumable";
}

interface Place {
  readonly number: number;
  readonly literals: Map<string, Place>;
  /** Variables with text around or between them, as in `{x}:cancel`. Longest text first, one segment before several. */
  readonly mixed: Edge[];
  variable?: Place;
  open?: Place;
  readonly leaves: Leaf[];
}

interface Edge {
  readonly before: string;
  readonly after: string;
  readonly between: readonly string[];
  readonly multiSegment: boolean;
  readonly to: Place;
}

/** Maximum length of a path. No API has longer paths. */
const longestPath = 65_536;
const mostSegments = 500;

/**
 * Finds the method of a URL.
 *
 * If several methods match, the order at each node decides, from left to right: literal text, then a variable with text
 * around it (of one or several segments), then a variable of one segment, then a variable of several segments. A
 * variable of several segments ends at following literal text first, then at a following variable with text around it.
 *
 * With this order, each of the 28,137 published methods is found by its own URL. The exceptions are 2 methods that
 * their descriptions do not distinguish from another method.
 */
export class Router {
  readonly #roots = new Map<string, Place>();
  readonly #rootPaths: readonly (readonly string[])[];

  constructor(document: DescriptionDocument, methods: Iterable<Method>) {
    this.#rootPaths = rootPathsOf(document);
    const servicePath = trimSlashes(servicePathOf(document));
    const before = servicePath === "" ? [] : servicePath.split("/").map((text) => [text]);
    for (const method of methods) {
      const template = parsePathTemplate(trimLeading(method.path));
      // A method without a readable path cannot be called.
      if (template === undefined) continue;
      this.#add(method, before.length === 0 ? template.segments : [...before, ...template.segments]);
      const { mediaUpload } = method.document;
      if (mediaUpload === undefined) continue;
      const protocols = mediaUpload.protocols ?? {};
      for (const kind of ["simple", "resumable"] as const) {
        const path = protocols[kind]?.path;
        const upload = path === undefined ? undefined : parsePathTemplate(trimLeading(path));
        if (upload !== undefined) this.#add(method, upload.segments, kind);
      }
    }
  }

  /** @param httpMethod upper case @param path the URL's path as received, without query */
  find(httpMethod: string, path: string): Route | undefined {
    const root = this.#roots.get(httpMethod);
    if (root === undefined || path.length > longestPath) return undefined;
    const segments = encodeLiteral(path.startsWith("/") ? path.slice(1) : path).split("/");
    if (segments.length > mostSegments) return undefined;
    const budget = bindingBudget();
    // Addresses begin with the path of one of the roots, or with none on a replacement service.
    for (const rootPath of this.#rootPaths) {
      if (!rootPath.every((segment, at) => segment === segments[at])) continue;
      const found = walk(root, segments.slice(rootPath.length), budget);
      if (found !== undefined) return found;
    }
    return walk(root, segments, budget);
  }

  #add(method: Method, segments: Leaf["segments"], upload?: "simple" | "resumable"): void {
    if (!isBindable(segments)) return;
    let place = childOf(this.#roots, method.httpMethod);
    for (const segment of segments) {
      for (const parts of shapeOf(segment, method)) place = step(place, parts);
    }
    place.leaves.push(upload === undefined ? { method, segments } : { method, segments, upload });
  }
}

let places = 0;

function newPlace(): Place {
  places += 1;
  return { number: places, literals: new Map(), mixed: [], leaves: [] };
}

function step(place: Place, parts: readonly TemplatePart[]): Place {
  if (parts.every((part) => typeof part === "string")) return childOf(place.literals, parts.join(""));
  if (parts.some((part) => typeof part === "string")) return edgeTo(place.mixed, parts);
  if (isMultiSegment(parts)) {
    place.open ??= newPlace();
    return place.open;
  }
  place.variable ??= newPlace();
  return place.variable;
}

function childOf(children: Map<string, Place>, key: string): Place {
  const known = children.get(key) ?? newPlace();
  children.set(key, known);
  return known;
}

function isMultiSegment(parts: readonly TemplatePart[]): boolean {
  return parts.some((part) => typeof part !== "string" && part.multiSegment);
}

function edgeTo(edges: Edge[], parts: readonly TemplatePart[]): Place {
  const multiSegment = isMultiSegment(parts);
  const texts = parts.map((part) => (typeof part === "string" ? encodeLiteral(part) : ""));
  const [before = "", after = ""] = [texts[0], texts.at(-1)];
  const between = texts.slice(1, -1).filter((text) => text !== "");
  const known = edges.find(
    (edge) =>
      edge.multiSegment === multiSegment &&
      edge.before === before &&
      edge.after === after &&
      edge.between.join("/") === between.join("/"),
  );
  if (known !== undefined) return known.to;
  const edge = { before, after, between, multiSegment, to: newPlace() };
  edges.push(edge);
  edges.sort((a, b) => textLength(b) - textLength(a) || Number(a.multiSegment) - Number(b.multiSegment));
  return edge.to;
}

function textLength({ before, after, between }: Edge): number {
  return before.length + after.length + between.join("").length;
}

function walk(root: Place, segments: readonly string[], budget: BindingBudget): Route | undefined {
  const seen = new Set<number>();
  const seenMixed = new Set<number>();
  return visit(root, 0);

  function visit(place: Place, at: number): Route | undefined {
    const key = place.number * (mostSegments + 1) + at;
    if (seen.has(key)) return undefined;
    seen.add(key);
    if (at === segments.length) return bound(place.leaves);
    return (
      viaLiteral(place, at) ?? viaMixed(place, at) ?? viaVariable(place, at) ?? (place.open && viaOpen(place.open, at))
    );
  }

  function viaLiteral({ literals }: Place, at: number): Route | undefined {
    const segment = segments[at];
    if (segment === undefined) return undefined;
    const to = literals.get(segment) ?? (segment.includes("%") ? literals.get(decodeLiteral(segment)) : undefined);
    return to && visit(to, at + 1);
  }

  function viaMixed({ number, mixed }: Place, at: number): Route | undefined {
    const key = number * (mostSegments + 1) + at;
    if (mixed.length === 0 || seenMixed.has(key)) return undefined;
    seenMixed.add(key);
    for (const edge of mixed) {
      const found = edge.multiSegment
        ? viaOpen(edge.to, at, edge)
        : fits(edge, at)
          ? visit(edge.to, at + 1)
          : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function viaVariable({ variable }: Place, at: number): Route | undefined {
    return variable !== undefined && segments[at] !== "" ? visit(variable, at + 1) : undefined;
  }

  function fits({ before, after, between }: Edge, at: number): boolean {
    const segment = segments[at] ?? "";
    if (segment.length <= before.length + after.length) return false;
    if (!segment.startsWith(before) || !segment.endsWith(after)) return false;
    let from = before.length + 1;
    for (const text of between) {
      const found = segment.indexOf(text, from);
      if (found === -1 || found + text.length >= segment.length - after.length) return false;
      from = found + text.length + 1;
    }
    return true;
  }

  /** @param text at the start of the first segment and at the end of the last segment */
  function viaOpen(to: Place, at: number, text?: Edge): Route | undefined {
    if (text !== undefined && segments[at]?.startsWith(text.before) !== true) return undefined;
    const ends: number[] = [];
    for (let end = segments.length; end > at; end--) {
      if (text === undefined || segments[end - 1]?.endsWith(text.after) === true) ends.push(end);
    }
    return (
      firstOf(ends, (end) => viaLiteral(to, end)) ?? firstOf(ends, (end) => viaMixed(to, end)) ?? longest(to, ends)
    );
  }

  /** Returns the method with the longest match. No rule requires this preference, so the others are alternatives. */
  function longest(to: Place, ends: readonly number[]): Route | undefined {
    const found = firstOf(ends, (end) => visit(to, end));
    if (found === undefined || to.leaves.length === 0 || (to.variable ?? to.open) === undefined) return found;
    const others = ends.flatMap((end) => visit(to, end)?.method ?? []).filter((method) => method !== found.method);
    return others.length === 0 ? found : { ...found, alternatives: [...new Set(others)] };
  }

  function bound(leaves: readonly Leaf[]): Route | undefined {
    for (const leaf of leaves) {
      const { method, upload } = leaf;
      leaf.bind ??= pathBinder(method, leaf.segments);
      const pathParameters = leaf.bind(segments, budget);
      if (pathParameters !== undefined) return { method, pathParameters, ...defined({ upload }) };
    }
    return undefined;
  }
}

function firstOf<T>(ends: readonly number[], find: (end: number) => T | undefined): T | undefined {
  for (const end of ends) {
    const found = find(end);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rootPathsOf(document: DescriptionDocument): readonly (readonly string[])[] {
  const { rootUrl, baseUrl, mtlsRootUrl, endpoints = [] } = document;
  const below = trimSlashes(servicePathOf(document));
  const urls = [rootUrl, mtlsRootUrl, ...endpoints.map(({ endpointUrl }) => endpointUrl)];
  const paths = new Set(urls.map(pathOf));
  if (rootUrl === undefined) paths.add(trimSlashes(pathOf(baseUrl).slice(0, -below.length || undefined)));
  paths.delete("");
  return [...paths].map((path) => path.split("/")).sort((a, b) => b.length - a.length);
}

function pathOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? trimSlashes(new URL(url).pathname) : "";
}

function trimLeading(path: string): string {
  return path.replace(/^\/+/, "");
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
