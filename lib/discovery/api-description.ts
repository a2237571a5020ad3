import { InputError } from "../errors";
import { defined } from "../json/defined";
import { escapeUnsafe, quote } from "../text/quote";
import type { ValueFinding } from "./codes";
import { type Deprecation, findDeprecations } from "./deprecations";
import type { DescriptionDocument, SchemaDocument } from "./document";
import { type ExampleOptions, makeExample } from "./example";
import { countMethods, indexMethods, type Method } from "./method";
import { findMethod, nearestName } from "./nearest";
import { findOddities, type Oddity, overlappingAddresses } from "./oddities";
import { parseDocument } from "./parse";
import { type EndpointChoice, type RootAddress, Router, rootAddress } from "./paths";
import {
  checkRun,
  fillPath,
  type Parameter,
  type ParameterProblem,
  type ParameterValue,
  type PreparedRequest,
  planRequests,
  prepareRequest,
  type ReceivedParameters,
  type RequestInput,
  type RequestPlan,
  readQueryParameters,
  stepsOfPath,
  type UploadKind,
  uploadPath,
  uploadTypes,
  writeParameters,
} from "./requests";
import { CheckedSchemas, resolveReference } from "./schemas";
import { smallestScopes } from "./scopes";
import { type ValidateOptions, validate } from "./validate";

/** Result of matching an HTTP request: its method and its parameters. */
export interface Match extends ReceivedParameters {
  readonly method: Method;
  /**
   * Set if the URL is an upload address of the method. The query parameter `uploadType` decides the kind; otherwise,
   * the path does.
   */
  readonly upload?: "simple" | "resumable";
  /** Other methods that match the URL. The description does not distinguish them. */
  readonly alternatives?: readonly Method[];
}

/**
 * One version of one API: its methods, and everything that the description states about them. No method of this class
 * sends a request.
 *
 * The description is read immediately. Everything about a method is computed when the method is first called.
 */
export class ApiDescription {
  /** The description, unchanged, with its unknown fields. */
  readonly document: DescriptionDocument;
  readonly name: string;
  readonly version: string;
  /** Id of the API: `<name>:<version>`. */
  readonly id: string;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #schemas: CheckedSchemas;
  readonly #plans = new Map<string, RequestPlan>();
  #router: Router | undefined;
  /**
   * Root address of the last endpoint. Nearly all callers use one endpoint, and parsing an address takes as long as the
   * rest of a request.
   */
  #lastRoot: { readonly endpoint: EndpointChoice | undefined; readonly root: RootAddress } | undefined;
  #oddities: readonly Oddity[] | undefined;

  private constructor(document: DescriptionDocument) {
    this.document = document;
    this.name = document.name;
    this.version = document.version;
    this.id = document.id ?? `${document.name}:${document.version}`;
    this.#methods = indexMethods(document);
    this.#schemas = new CheckedSchemas(document.schemas ?? {});
  }

  /**
   * Reads a description.
   *
   * @param input the JSON text, or the parsed value; an object is not copied and must not change afterwards
   * @throws {@link InputError} with every problem that prevents the use of the description: `description-not-json`,
   * `description-kind`, `description-malformed`, `description-too-large`. Problems inside a schema are reported when
   * the schema is used, as `description-malformed`, and by {@link warnings}
   */
  static parse(input: unknown): ApiDescription {
    return new ApiDescription(parseDocument(input));
  }

  /**
   * Returns everything that deviates from the specification or contradicts itself, but does not prevent the use of the
   * description.
   */
  get warnings(): readonly Oddity[] {
    this.#oddities ??= [
      ...findOddities(this.document, this.#methods, countMethods(this.document), this.#schemas),
      ...overlappingAddresses(this.document, this.#methods.values(), this.#routes()),
    ];
    return this.#oddities;
  }

  /** Returns every method: first the methods of the API itself, then the methods of the resources, outermost first. */
  methods(): Iterable<Method> {
    return this.#methods.values();
  }

  /**
   * Returns a method by id.
   *
   * @throws {@link InputError} `method-unknown`
   */
  method(id: string): Method {
    return findMethod(this.#methods, id, this.id);
  }

  hasMethod(id: string): boolean {
    return this.#methods.has(id);
  }

  /** Returns the schemas by id. */
  schemas(): ReadonlyMap<string, SchemaDocument> {
    return this.#schemas;
  }

  /**
   * Returns a schema by id.
   *
   * @throws {@link InputError} `schema-unknown`
   */
  schema(id: string): SchemaDocument {
    const schema = this.#schemas.get(id);
    if (schema !== undefined) return schema;
    const near = nearestName(id, this.#schemas.keys());
    const hint =
      near === undefined ? `it has ${this.#schemas.size}, none with a name like it` : `did you mean ${quote(near)}?`;
    throw new InputError("schema-unknown", `${escapeUnsafe(this.id)} has no schema ${quote(id)}; ${hint}`);
  }

  /** Returns a method's own parameters and the parameters of the API, in declared order. */
  parametersOf(methodId: string): readonly Parameter[] {
    return this.#plan(methodId).parameters.all;
  }

  /**
   * Finds the method of an HTTP request and reads its parameters.
   *
   * @param httpMethod HTTP method, in any case
   * @param url an absolute URL, or path and query, as received; only the path decides which method matches. The path
   * may begin with the path of any address in the description (rootUrl, mtlsRootUrl, endpoints). The path of a caller's
   * own endpoint is not known and must be removed first
   * @returns undefined if no method has this address; the first match if the description does not distinguish several
   * methods
   */
  match(httpMethod: string, url: string): Match | undefined {
    const { path, query } = splitUrl(url);
    const route = this.#routes().find(httpMethod.toUpperCase(), path);
    if (route === undefined) return undefined;
    const { method, pathParameters, upload, alternatives } = route;
    const received = readQueryParameters(this.#plan(method.id).parameters, pathParameters, query);
    return {
      method,
      ...received,
      ...(upload === undefined ? {} : { upload: uploadOf(query) ?? upload }),
      ...defined({ alternatives }),
    };
  }

  /**
   * Prepares a request: checks all rules of the description for parameters, body and media, and writes the URL.
   *
   * @throws {@link InputError} with every problem at once; problems of parameters are {@link ParameterProblem}s
   */
  request(methodId: string, input: RequestInput = {}): PreparedRequest {
    return prepareRequest(this.#plan(methodId), input, this.#root(input.endpoint), this.#schemas);
  }

  /** Returns the problems of these parameters that {@link request} would throw; empty if all parameters are valid. */
  checkParameters(methodId: string, parameters: Readonly<Record<string, ParameterValue>>): readonly ParameterProblem[] {
    const problems: ParameterProblem[] = [];
    writeParameters(this.#plan(methodId), parameters, problems, checkRun());
    return problems;
  }

  /**
   * Validates a value against a schema.
   *
   * @param schema its id, or an inline schema, for example a method's `request`
   * @returns the findings; empty for a value without problems
   * @throws {@link InputError} `schema-unknown`
   */
  validate(schema: string | SchemaDocument, value: unknown, options?: ValidateOptions): readonly ValueFinding[] {
    return validate(typeof schema === "string" ? this.schema(schema) : schema, value, this.#schemas, options);
  }

  /**
   * Returns the schema itself, or the schema that its `$ref` refers to; undefined if the referenced schema does not
   * exist.
   */
  resolve(schema: SchemaDocument): SchemaDocument | undefined {
    return resolveReference(schema, this.#schemas);
  }

  /**
   * Returns a small value that is valid for a schema.
   *
   * @throws {@link InputError} `schema-unknown`
   */
  example(schema: string | SchemaDocument, options?: ExampleOptions): unknown {
    return makeExample(typeof schema === "string" ? this.schema(schema) : schema, this.#schemas, options);
  }

  /**
   * Returns the upload address of a method: rootUrl and the protocol's path, with `uploadType`.
   *
   * @param parameters values of the path's variables; without them the address is a template that contains `{x}`
   * @throws {@link InputError} `upload-unsupported`, or the problems of the parameters
   */
  uploadUrl(methodId: string, kind: UploadKind, parameters?: Readonly<Record<string, ParameterValue>>): string {
    const plan = this.#plan(methodId);
    const found = uploadPath(plan.method, kind);
    if ("problem" in found) throw new InputError([found.problem]);
    const path = parameters === undefined ? found.path.replace(/^\/+/, "") : filled(plan, found.path, parameters);
    return `${this.rootUrl()}${path}?uploadType=${uploadTypes[kind]}`;
  }

  /** Returns the address of batches. @param endpoint @default the description's rootUrl */
  batchUrl(endpoint?: EndpointChoice): string {
    return `${this.rootUrl(endpoint)}${(this.document.batchPath ?? "batch").replace(/^\/+/, "")}`;
  }

  /**
   * Returns the base of all addresses, which ends with a slash.
   *
   * @throws {@link InputError} `endpoint-missing`, `endpoint-invalid`, or `endpoint-unknown` with the available
   * locations
   */
  rootUrl(endpoint?: EndpointChoice): string {
    const root = this.#root(endpoint);
    if ("problem" in root) throw new InputError([root.problem]);
    return root.url;
  }

  /** Returns everything that the description marks as deprecated. */
  deprecations(): readonly Deprecation[] {
    this.#schemas.checkAll();
    return findDeprecations(this.document, this.#methods.values());
  }

  /** Returns the scopes of a method. One of them is enough; empty if the method needs none. */
  scopes(methodId: string): readonly string[] {
    return this.method(methodId).scopes;
  }

  /**
   * Returns the smallest set of scopes that permits all of these methods. Among sets of equal size, returns the least
   * powerful set.
   */
  smallestScopes(methodIds: Iterable<string>): readonly string[] {
    const wanted = [...methodIds].map((id) => this.method(id));
    return smallestScopes(wanted, this.#methods.values());
  }

  #routes(): Router {
    this.#router ??= new Router(this.document, this.#methods.values());
    return this.#router;
  }

  #root(endpoint: EndpointChoice | undefined): RootAddress {
    const last = this.#lastRoot;
    if (last !== undefined && last.endpoint === endpoint && typeof endpoint !== "object") return last.root;
    const root = rootAddress(this.document, endpoint);
    this.#lastRoot = { endpoint, root };
    return root;
  }

  #plan(methodId: string): RequestPlan {
    const known = this.#plans.get(methodId);
    if (known !== undefined) return known;
    const plan = planRequests(this.method(methodId), this.document);
    this.#plans.set(methodId, plan);
    return plan;
  }
}

function filled(plan: RequestPlan, path: string, parameters: Readonly<Record<string, ParameterValue>>): string {
  const problems: ParameterProblem[] = [];
  const written = writeParameters(plan, parameters, problems, checkRun());
  const address = fillPath(plan, stepsOfPath(plan, path), written, problems);
  if (problems.length > 0) throw new InputError(problems);
  return address;
}

function uploadOf(query: string): Match["upload"] {
  const uploadType = new URLSearchParams(query).get("uploadType");
  if (uploadType === "resumable") return "resumable";
  return uploadType === "media" || uploadType === "multipart" ? "simple" : undefined;
}

/** Splits a URL without the `URL` class, because that class would normalize parts that must stay as received. */
function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  const at = local.indexOf("?");
  return at === -1 ? { path: local, query: "" } : { path: local.slice(0, at), query: local.slice(at + 1) };
}
