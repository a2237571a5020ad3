import { InputError, type Problem } from "../../errors";
import { escapeUnsafe, quote } from "../../text/quote";
import { type ValueFinding, valueFinding } from "../codes";
import type { EndpointChoice, RootAddress } from "../paths";
import { resolveReference, type Schemas } from "../schemas";
import { requiredProperties, validate } from "../validate";
import {
  checkMedia,
  type Media,
  multipartRelated,
  sizeOf,
  type UploadKind,
  uploadPath,
  uploadTypes,
} from "./media-upload";
import { checkRun, type ParameterValue } from "./parameters";
import { type RequestPlan, stepsOfPath } from "./request-plan";
import { fillPath, fillQuery, type WrittenParameters, writeParameters } from "./write-address";

/** Input for a request of a method. */
export interface RequestInput {
  /** Parameters by name. undefined and null are not sent. Defaults of the description are never sent. @default none */
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /**
   * Value of the JSON body. The schema of the method's request defines the allowed values, and whether the body may be
   * missing.
   *
   * @default none
   */
  readonly body?: unknown;
  /** Media to upload with the request. @default none */
  readonly media?: Media;
  /** Destination of the request. @default the description's rootUrl */
  readonly endpoint?: EndpointChoice;
}

/** A prepared request, for any HTTP client. */
export interface PreparedRequest {
  /** HTTP method: GET, POST, … */
  readonly method: string;
  readonly url: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body; undefined for a request without a body. */
  readonly body: string | Uint8Array | undefined;
  /**
   * Values that the service ignores or that are deprecated, and values that could not be checked. Values that the
   * service would refuse are thrown as errors.
   */
  readonly findings: readonly ValueFinding[];
}

const noParameters: Readonly<Record<string, ParameterValue>> = {};
const noFindings: readonly ValueFinding[] = [];

/** @throws {@link InputError} with every problem of parameters, body, media and endpoint at once */
export function prepareRequest(
  plan: RequestPlan,
  input: RequestInput,
  root: RootAddress,
  schemas: Schemas,
): PreparedRequest {
  const problems: Problem[] = plan.refusals.length === 0 ? [] : [...plan.refusals];
  const run = checkRun();
  const written = writeParameters(plan, input.parameters ?? noParameters, problems, run);
  if ("problem" in root) problems.push(root.problem);
  const upload = input.media && uploadOf(plan, input.media, input.body, problems);
  const path = fillPath(plan, upload?.steps ?? plan.path, written, problems);
  const query = fillQuery(plan, written, problems);
  if (upload !== undefined) checkUploadType(plan, written, upload, problems);
  const findings = checkBody(plan, input.body, upload, schemas, problems);
  // A refused body may be too large to write.
  const json =
    input.body === undefined || problems.length > 0
      ? undefined
      : writeJson(plan.wrapsData ? { data: input.body } : input.body, problems);
  if (problems.length > 0 || "problem" in root) throw new InputError(problems);
  const content = contentOf(plan, json, upload);
  return {
    method: plan.method.httpMethod,
    url: `${root.url}${path}${upload === undefined ? query : withUploadType(query, upload.kind)}`,
    headers: content.headers,
    body: content.body,
    findings: allFindings(plan.findings, deprecatedEndpoint(root), run.findings, findings),
  };
}

type Findings = PreparedRequest["findings"];

function allFindings(...lists: readonly Findings[]): Findings {
  const [first = noFindings, ...more] = lists.filter((list) => list.length > 0);
  return more.length === 0 ? first : [first, ...more].flat();
}

function deprecatedEndpoint({ url, deprecated }: Exclude<RootAddress, { readonly problem: Problem }>): Findings {
  return deprecated === true
    ? [valueFinding("deprecated", url, `the endpoint ${quote(url)} is deprecated`)]
    : noFindings;
}

interface Upload {
  readonly kind: UploadKind;
  readonly media: Media;
  readonly steps: RequestPlan["path"];
}

function uploadOf(plan: RequestPlan, media: Media, body: unknown, problems: Problem[]): Upload | undefined {
  const kind = media.kind ?? (body === undefined ? "simple" : "multipart");
  problems.push(...checkMedia(plan.method.document.mediaUpload, media));
  if (kind === "simple" && body !== undefined) {
    const message = "a simple upload carries the media alone: use kind 'multipart' or 'resumable' for metadata";
    problems.push({ code: "body-unexpected", message });
  }
  if (kind !== "resumable" && media.content === undefined) {
    problems.push({ code: "media-missing", message: `the content is missing: a ${kind} upload carries it` });
  }
  const found = uploadPath(plan.method, kind);
  if ("problem" in found) {
    problems.push(found.problem);
    return undefined;
  }
  return { kind, media, steps: stepsOfPath(plan, found.path) };
}

/** Checks an `uploadType` that the caller set. Types that this module does not know are not checked. */
function checkUploadType(
  plan: RequestPlan,
  written: WrittenParameters,
  { kind, media }: Upload,
  problems: Problem[],
): void {
  const uploadType = uploadTypes[kind];
  const given = written[plan.parameters.positions.get("uploadType") ?? -1];
  if (given === undefined || given === uploadType) return;
  if (media.kind === undefined && !Object.values<unknown>(uploadTypes).includes(given)) return;
  const message = `parameter 'uploadType' can't be ${quote(String(given))}: the media are sent as ${quote(uploadType)}; leave it out, or give the media another kind`;
  problems.push({ code: "upload-type", message });
}

function checkBody(
  plan: RequestPlan,
  body: unknown,
  upload: Upload | undefined,
  schemas: Schemas,
  problems: Problem[],
): readonly ValueFinding[] {
  const { request, id } = plan.method;
  if (request === undefined) {
    if (body !== undefined)
      problems.push({ code: "body-unexpected", message: `${quote(id)} takes no body: leave it out` });
    return noFindings;
  }
  if (body === undefined || body === null) {
    // Media may contain the same data as the body, for example the message of an e-mail. Only the service can decide.
    const required = upload === undefined ? requiredProperties(resolveReference(request, schemas), id) : [];
    if (required.length > 0) {
      const names = required.slice(0, 30).map(quote).join(", ");
      problems.push({ code: "body-required", message: `the body is missing: ${escapeUnsafe(id)} requires ${names}` });
    }
    if (body === undefined || required.length > 0) return noFindings;
  }
  const findings = validate(request, body, schemas, { as: "request", methodId: id }).filter(
    ({ code, subject }) => upload === undefined || code !== "required" || subject.lastIndexOf("/") > 0,
  );
  for (const finding of findings) {
    if (finding.severity === "error")
      problems.push({ ...finding, code: `body-${finding.code}`, message: `body: ${finding.message}` });
  }
  return findings.length === 0 ? noFindings : findings.filter(({ severity }) => severity === "warning");
}

function writeJson(body: unknown, problems: Problem[]): string {
  try {
    const json = stringify(body);
    if (json !== undefined) return json;
    problems.push({ code: "body-not-json", message: `the body can't be written as JSON: it is a ${typeof body}` });
  } catch {
    const why = "it refers to itself, or is nested too deep";
    problems.push({ code: "body-not-json", message: `the body can't be written as JSON: ${why}` });
  }
  return "";
}

/** Writes a body as JSON. A replacer makes this several times slower, and few bodies need it. */
function stringify(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return JSON.stringify(body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  }
}

function withUploadType(query: string, kind: UploadKind): string {
  if (/[?&]uploadType=/.test(query)) return query;
  return `${query === "" ? "?" : `${query}&`}uploadType=${uploadTypes[kind]}`;
}

function contentOf(
  { headers }: RequestPlan,
  json: string | undefined,
  upload: Upload | undefined,
): { readonly headers: PreparedRequest["headers"]; readonly body: string | Uint8Array | undefined } {
  if (upload === undefined) return { headers: json === undefined ? headers.withoutBody : headers.withJson, body: json };
  const { media, kind } = upload;
  if (kind === "resumable") {
    const bytes = sizeOf(media);
    const length = bytes === undefined ? {} : { "x-upload-content-length": String(bytes) };
    const basic = json === undefined ? headers.withoutBody : headers.withJson;
    return { headers: { ...basic, "x-upload-content-type": media.contentType, ...length }, body: json };
  }
  if (kind === "simple") {
    return { headers: { ...headers.withoutBody, "content-type": media.contentType }, body: media.content };
  }
  const { contentType, body } = multipartRelated(json ?? "{}", media);
  return { headers: { ...headers.withoutBody, "content-type": contentType }, body };
}
