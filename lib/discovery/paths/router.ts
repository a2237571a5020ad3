import type { DescriptionDocument } from "../document";
import type { Method } from "../method";
import { type BindingBudget, bindingBudget, isBindable, type PathBinder, pathBinder } from "./path-binding";
import { decodeLiteral, encodeLiteral, parsePathTemplate, type TemplatePart } from "./path-template";
import { shapeOf } from "./url-shape";

/** What a URL leads to. */
export interface Route {
  readonly method: Method;
  /** Values of the path's variables, decoded. */
  readonly pathParameters: ReadonlyMap<string, string>;
  /** Set where the URL is one of the method's upload addresses. */
  readonly upload?: "simple" | "resumable";
}

interface Leaf {
  readonly method: Method;
  readonly segments: readonly (readonly TemplatePart[])[];
  /** Made when a URL has the path's shape for the first time: of most methods, none ever has. */
  bind?: PathBinder;
  readonly upload?: "simple" | "resumable";
}

/** A place in the tree of URL shapes. */
interface Place {
  /** No other place has it: a walk remembers by it where it was. */
  readonly number: number;
  readonly literals: Map<string, Place>;
  /** Variables with text around them in the segment, as in `{x}:cancel`; longest text first. */
  readonly mixed: Edge[];
  variable?: Place;
  /** One segment or more; longest text after it first. */
  readonly open: Edge[];
  readonly leaves: Leaf[];
}

interface Edge {
  readonly before: string;
  readonly after: string;
  readonly to: Place;
}

/** Longer paths are no API's. */
const longestPath = 65_536;
const mostSegments = 500;

/**
 * Finds the method of a URL. Where several fit, literal text goes before text around a variable, that before a variable, and that before a
 * variable of several segments, from left to right: with that order each of the 28,137 published methods is found by its own URL.
 */
export class Router {
  readonly #roots = new Map<string, Place>();
  /** Paths of the addresses that requests go to, longest first. */
  readonly #rootPaths: readonly (readonly string[])[];

  constructor(document: DescriptionDocument, methods: Iterable<Method>) {
    this.#rootPaths = rootPathsOf(document);
    const servicePath = trimSlashes(document.servicePath ?? "");
    const before = servicePath === "" ? [] : servicePath.split("/").map((text) => [text]);
    for (const method of methods) {
      const template = parsePathTemplate(trimLeading(method.path));
      // What can't be called by its own path can't be called at all.
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

  /**
   * @param httpMethod upper case
   * @param path the URL's path as it came over the wire, without query
   */
  find(httpMethod: string, path: string): Route | undefined {
    const root = this.#roots.get(httpMethod);
    if (root === undefined || path.length > longestPath) return undefined;
    const segments = encodeLiteral(path.startsWith("/") ? path.slice(1) : path).split("/");
    if (segments.length > mostSegments) return undefined;
    const budget = bindingBudget();
    // An address of this description begins with the path of one of its roots; a service in its place may have none.
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
  return { number: places, literals: new Map(), mixed: [], open: [], leaves: [] };
}

function step(place: Place, parts: readonly TemplatePart[]): Place {
  const [first] = parts;
  if (parts.every((part) => typeof part === "string")) {
    return childOf(place.literals, parts.join(""));
  }
  const before = typeof first === "string" ? encodeLiteral(first) : "";
  const last = parts.at(-1);
  const after = typeof last === "string" ? encodeLiteral(last) : "";
  if (parts.some((part) => typeof part !== "string" && part.multiSegment)) return edgeTo(place.open, before, after);
  if (before !== "" || after !== "") return edgeTo(place.mixed, before, after);
  place.variable ??= newPlace();
  return place.variable;
}

function childOf(children: Map<string, Place>, key: string): Place {
  const known = children.get(key) ?? newPlace();
  children.set(key, known);
  return known;
}

function edgeTo(edges: Edge[], before: string, after: string): Place {
  const known = edges.find((edge) => edge.before === before && edge.after === after);
  if (known !== undefined) return known.to;
  const edge = { before, after, to: newPlace() };
  edges.push(edge);
  edges.sort((a, b) => b.before.length + b.after.length - (a.before.length + a.after.length));
  return edge.to;
}

function walk(root: Place, segments: readonly string[], budget: BindingBudget): Route | undefined {
  const seen = new Set<number>();
  return visit(root, 0);

  function visit(place: Place, at: number): Route | undefined {
    const key = place.number * (mostSegments + 1) + at;
    if (seen.has(key)) return undefined;
    seen.add(key);
    if (at === segments.length) return bound(place.leaves);
    const segment = segments[at] ?? "";
    const literal =
      place.literals.get(segment) ?? (segment.includes("%") ? place.literals.get(decodeLiteral(segment)) : undefined);
    const found = literal && visit(literal, at + 1);
    return found ?? viaVariables(place, segment, at);
  }

  function viaVariables(place: Place, segment: string, at: number): Route | undefined {
    for (const { before, after, to } of place.mixed) {
      const fits =
        segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after);
      const found = fits ? visit(to, at + 1) : undefined;
      if (found !== undefined) return found;
    }
    const found = place.variable && segment !== "" ? visit(place.variable, at + 1) : undefined;
    return found ?? viaOpen(place, segment, at);
  }

  function viaOpen(place: Place, segment: string, at: number): Route | undefined {
    for (const { before, after, to } of place.open) {
      if (!segment.startsWith(before)) continue;
      for (let end = segments.length; end > at; end--) {
        const found = segments[end - 1]?.endsWith(after) ? visit(to, end) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  function bound(leaves: readonly Leaf[]): Route | undefined {
    for (const leaf of leaves) {
      const { method, upload } = leaf;
      leaf.bind ??= pathBinder(method, leaf.segments);
      const pathParameters = leaf.bind(segments, budget);
      if (pathParameters !== undefined) return { method, pathParameters, ...(upload === undefined ? {} : { upload }) };
    }
    return undefined;
  }
}

function rootPathsOf({ rootUrl, mtlsRootUrl, endpoints = [] }: DescriptionDocument): readonly (readonly string[])[] {
  const urls = [rootUrl, mtlsRootUrl, ...endpoints.map(({ endpointUrl }) => endpointUrl)];
  const paths = new Set(
    urls.map((url) => (url !== undefined && URL.canParse(url) ? trimSlashes(new URL(url).pathname) : "")),
  );
  paths.delete("");
  return [...paths].map((path) => path.split("/")).sort((a, b) => b.length - a.length);
}

function trimLeading(path: string): string {
  return path.replace(/^\/+/, "");
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
