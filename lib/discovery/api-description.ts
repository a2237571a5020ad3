import { InputError } from "../errors";
import { escapeUnsafe, quote } from "../text/quote";
import { CheckedSchemas } from "./checked-schemas";
import { type Deprecation, findDeprecations } from "./deprecations";
import type { DescriptionDocument, SchemaDocument } from "./document";
import { type ExampleOptions, makeExample } from "./example";
import type { Finding } from "./findings";
import type { Method } from "./method";
import { countMethods, findMethod, indexMethods } from "./method-index";
import { nearestName } from "./nearest-name";
import { findOddities, type Oddity } from "./oddities";
import { overlappingAddresses } from "./overlapping-addresses";
import { parseDocument } from "./parse";
import { Router } from "./paths";
import { resolveReference } from "./references";
import {
  checkRun,
  type EndpointChoice,
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
  type RootAddress,
  readQuery,
  rootAddress,
  stepsOfPath,
  type UploadKind,
  uploadPath,
  uploadTypes,
  writeParameters,
} from "./requests";
import { smallestScopes } from "./scopes";
import { type ValidateOptions, validate } from "./validate";

/** What a request on the wire asks for. */
export interface Match extends ReceivedParameters {
  readonly method: Method;
  /** Set where the URL is one of the method's upload addresses: as its `uploadType` says, or else its path. */
  readonly upload?: "simple" | "resumable";
  /** Other methods that the URL fits as well: the description doesn't say which of them is meant. */
  readonly alternatives?: readonly Method[];
}

/**
 * One API in one version: its methods, and everything that can be told about them without asking the service.
 *
 * Reading is eager, working out is lazy: a method costs nothing until it is called the first time.
 */
export class ApiDescription {
  /** The description as it is written, unknown fields included. */
  readonly document: DescriptionDocument;
  readonly name: string;
  readonly version: string;
  /** `<name>:<version>`. */
  readonly id: string;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #schemas: CheckedSchemas;
  readonly #plans = new Map<string, RequestPlan>();
  #router: Router | undefined;
  /** Nearly all callers use one endpoint, and reading an address takes as long as all the rest of a request. */
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
   * @param input the JSON text, or what was parsed from it; an object is not copied and must not change afterwards
   * @throws {@link InputError} with everything that keeps it from being a description: `description-not-json`, `description-kind`,
   *     `description-malformed`, `description-too-large`. What is wrong inside a schema is told when the schema is used, as `description-malformed`, and
   *     by {@link warnings}
   */
  static parse(input: unknown): ApiDescription {
    return new ApiDescription(parseDocument(input));
  }

  /** Whatever is not as specified, or contradicts itself, without keeping the description from being used. */
  get warnings(): readonly Oddity[] {
    this.#oddities ??= [
      ...findOddities(this.document, this.#methods, countMethods(this.document), this.#schemas),
      ...overlappingAddresses(this.document, this.#methods.values(), this.#routes()),
    ];
    return this.#oddities;
  }

  /** Every method: those of the API itself, then those of the resources, outermost first. */
  methods(): Iterable<Method> {
    return this.#methods.values();
  }

  /** @throws {@link InputError} `method-unknown` */
  method(id: string): Method {
    return findMethod(this.#methods, id, this.id);
  }

  hasMethod(id: string): boolean {
    return this.#methods.has(id);
  }

  /** Schemas by id. */
  schemas(): ReadonlyMap<string, SchemaDocument> {
    return this.#schemas;
  }

  /** @throws {@link InputError} `schema-unknown` */
  schema(id: string): SchemaDocument {
    const schema = this.#schemas.get(id);
    if (schema !== undefined) return schema;
    const near = nearestName(id, this.#schemas.keys());
    const hint =
      near === undefined ? `it has ${this.#schemas.size}, none with a name like it` : `did you mean ${quote(near)}?`;
    throw new InputError("schema-unknown", `${escapeUnsafe(this.id)} has no schema ${quote(id)}; ${hint}`);
  }

  /** A method's own parameters and those of the API, in declared order. */
  parametersOf(methodId: string): readonly Parameter[] {
    return this.#plan(methodId).parameters;
  }

  /**
   * Finds the method that a request on the wire asks for, and reads its parameters.
   *
   * @param httpMethod in any case
   * @param url absolute, or path and query; only the path decides which method it is. Path and query are taken as they came over the wire. Before the
   *     method's own path there may be that of any address in the description (rootUrl, mtlsRootUrl, endpoints), or none; the path of an endpoint
   *     that a caller made up is not known, and has to be cut off before
   * @returns undefined where no method has such an address; where the description doesn't distinguish methods, the first that fits
   */
  match(httpMethod: string, url: string): Match | undefined {
    const { path, query } = splitUrl(url);
    const route = this.#routes().find(httpMethod.toUpperCase(), path);
    if (route === undefined) return undefined;
    const { method, pathParameters, upload, alternatives } = route;
    const received = readQuery(this.#plan(method.id), pathParameters, query);
    return {
      method,
      ...received,
      ...(upload === undefined ? {} : { upload: uploadOf(query) ?? upload }),
      ...(alternatives === undefined ? {} : { alternatives }),
    };
  }

  /**
   * Makes a request: checks everything that the description says about parameters, body and media, and writes the URL.
   *
   * @throws {@link InputError} with every problem at once; those of parameters are {@link ParameterProblem}s
   */
  request(methodId: string, input: RequestInput = {}): PreparedRequest {
    return prepareRequest(this.#plan(methodId), input, this.#root(input.endpoint), this.#schemas);
  }

  /** What a method's description says against these parameters, as {@link request} would; empty where nothing. */
  checkParameters(methodId: string, parameters: Readonly<Record<string, ParameterValue>>): readonly ParameterProblem[] {
    const problems: ParameterProblem[] = [];
    writeParameters(this.#plan(methodId), parameters, problems, checkRun());
    return problems;
  }

  /**
   * Holds a value against a schema.
   *
   * @param schema its id, or a schema in place such as a method's `request`
   * @returns empty where nothing is to be said
   * @throws {@link InputError} `schema-unknown`
   */
  validate(schema: string | SchemaDocument, value: unknown, options?: ValidateOptions): readonly Finding[] {
    return validate(typeof schema === "string" ? this.schema(schema) : schema, value, this.#schemas, options);
  }

  /** The schema itself, or the one that its `$ref` leads to; undefined where that dangles. */
  resolve(schema: SchemaDocument): SchemaDocument | undefined {
    return resolveReference(schema, this.#schemas);
  }

  /**
   * A small value that is valid by a schema.
   *
   * @throws {@link InputError} `schema-unknown`
   */
  example(schema: string | SchemaDocument, options?: ExampleOptions): unknown {
    return makeExample(typeof schema === "string" ? this.schema(schema) : schema, this.#schemas, options);
  }

  /**
   * Where media for a method go: rootUrl and the protocol's path, with `uploadType`.
   *
   * @param parameters fill the path's variables; without them the address is a template, `{x}` and all
   * @throws {@link InputError} `upload-unsupported`, or what is wrong with the parameters
   */
  uploadUrl(methodId: string, kind: UploadKind, parameters?: Readonly<Record<string, ParameterValue>>): string {
    const plan = this.#plan(methodId);
    const found = uploadPath(plan.method, kind);
    if ("problem" in found) throw new InputError([found.problem]);
    const path = parameters === undefined ? found.path.replace(/^\/+/, "") : filled(plan, found.path, parameters);
    return `${this.rootUrl()}${path}?uploadType=${uploadTypes[kind]}`;
  }

  /** Where batches go. @param endpoint @default the description's rootUrl */
  batchUrl(endpoint?: EndpointChoice): string {
    return `${this.rootUrl(endpoint)}${(this.document.batchPath ?? "batch").replace(/^\/+/, "")}`;
  }

  /**
   * The base of all addresses, ending with a slash.
   *
   * @throws {@link InputError} `endpoint-missing`, `endpoint-invalid`, or `endpoint-unknown` with the locations that there are
   */
  rootUrl(endpoint?: EndpointChoice): string {
    const root = this.#root(endpoint);
    if ("problem" in root) throw new InputError([root.problem]);
    return root.url;
  }

  /** Everything that the description says not to use any longer. */
  deprecations(): readonly Deprecation[] {
    this.#schemas.checkAll();
    return findDeprecations(this.document, this.#methods.values());
  }

  /** Any one of them opens the method; empty where it needs none. */
  scopes(methodId: string): readonly string[] {
    return this.method(methodId).scopes;
  }

  /** The fewest scopes that open all of these methods, and of those sets the least powerful one. */
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

/** Parsing with URL would normalise what has to be read as it came. */
function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  const at = local.indexOf("?");
  return at === -1 ? { path: local, query: "" } : { path: local.slice(0, at), query: local.slice(at + 1) };
}
