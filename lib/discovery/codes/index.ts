import { type CodeMeaning, type CodeTable, error, warning } from "../../findings/codes";
import { type CodedFinding, findingsOf } from "../../findings/finding";

export const valueFindings = {
  type: error("the value has another type", "use the type of the description"),
  format: error("the value does not have the format of the description", "use the format that the message names"),
  pattern: error(
    "the value does not match the pattern of the description",
    "use a value that matches the whole pattern",
  ),
  "pattern-unchecked": warning("the pattern takes too long to check", "check the value manually"),
  enum: error("the value is not one of the allowed values", "use a value that the message lists"),
  minimum: error("the value is below the minimum", "use a larger value"),
  maximum: error("the value is above the maximum", "use a smaller value"),
  required: error("a required property is missing", "add the property"),
  "unknown-property": warning(
    "the description does not have the property",
    "check the spelling, or update the description",
  ),
  "read-only": warning("the service ignores the property, because it is output only", "remove the property"),
  deprecated: warning("the description deprecates the use", "use the replacement that the description names"),
  "too-deep": error("the value is nested deeper than the limit", "use fewer levels"),
  "too-large": error("the value is larger than the limit", "use a smaller value"),
  "reference-dangling": warning("the description refers to a schema that it does not have", "update the description"),
} as const satisfies CodeTable;

const oddity = (meaning: string) => warning(meaning, "treat this part of the description with care");

/** Codes for parts of an API description that do not follow the specification; some share a code with a value. */
export const oddityCodes = {
  "api-version": oddity("the version of the API is not valid"),
  "base-url": oddity("the base URL is not valid"),
  "batch-path": oddity("the path of batches is not valid"),
  bound: oddity("a bound of a number is not valid"),
  default: oddity("a default is not a valid value"),
  "discovery-version": oddity("the version of the format is unknown"),
  endpoint: oddity("an endpoint is not valid"),
  "flat-path": oddity("the flat path is not valid"),
  "http-method": oddity("an HTTP method is not valid"),
  items: oddity("an array has no items"),
  label: oddity("a label is unknown"),
  "max-size": oddity("the maximum size of media is not valid"),
  "media-upload": oddity("the media upload is not valid"),
  id: oddity("the id of the description is not its name and version"),
  "parameter-location": oddity("the location of a parameter is unknown"),
  "method-id": oddity("the id of a method is not valid"),
  "method-id-twice": oddity("two methods have the same id"),
  "parameter-order": oddity("the order of parameters names an unknown parameter"),
  "parameter-shadows": oddity("a parameter of a method has the name of a parameter of the API"),
  path: oddity("the path of a method is not valid"),
  "path-parameter": oddity("a path parameter is not in the path"),
  "path-repeated": oddity("a parameter appears twice in a path"),
  "path-segment": oddity("a path has an empty segment or a dot segment"),
  "path-variable": oddity("a variable of the path has no parameter"),
  protocol: oddity("the protocol is unknown"),
  reference: oddity("a schema has a reference and other keys"),
  "required-method": oddity("the list of methods that require a property names an unknown method"),
  revision: oddity("the revision is not valid"),
  "root-url": oddity("the root URL is not valid"),
  "same-address": oddity("two methods have the same address"),
  "schema-id": oddity("the id of a schema differs from its key"),
  "scope-undeclared": oddity("a scope is not declared"),
  "service-path": oddity("the service path is not valid"),
} as const satisfies CodeTable;

export const comparisonFindings = {
  "other-api": warning("the descriptions are of different APIs", "compare two versions of one API"),
  "revision-unchanged": warning("two different descriptions have the same revision", "check where they come from"),
  "revision-backwards": warning("the new description has the older revision", "swap the descriptions"),
  "comparison-cut": warning(
    "too many schemas were replaced to compare all",
    "treat the other schemas as breaking changes",
  ),
  "methods-cut": warning("some changes do not list their methods", "look for the methods in the description"),
} as const satisfies CodeTable;

export const apiErrors = {
  "param-malformed": error("A parameter is not name=value", "write it as name=value"),
  "depth-malformed": error("The depth is not a positive number", "use a whole number from 1"),
  "api-malformed": error("The API is not NAME:VERSION, a file or a URL", "use one of them, for example dns:v1"),
  "api-id-malformed": error("The id of an API is not valid", "use NAME:VERSION, for example dns:v1"),
  "schema-unknown": error("The API has no such schema", "use a schema that 'api show' lists"),
  "method-unknown": error("The API has no such method", "use a method that 'api methods' lists"),
  "download-unsupported": error("The method has no media to download", "call the method without a download"),
  "download-changed": error("The object changed during the download", "start the download again"),
  "batch-answer-missing": error("The response of a batch lacks a part", "retry the request of that part"),
  "batch-size": error("A batch has too few or too many requests", "use a number within the range of the message"),
  "batch-media": error("A batch contains an upload", "send the upload on its own"),
  "batch-host": error("A batch contains requests to several hosts", "use one batch per host"),
  "batch-malformed": error("The response is not a batch", "check the endpoint"),
  "page-token-refused": error(
    "The service refused a page token that it had given, for example because the token has expired",
    "list again; 'audit tail' does so by itself",
  ),
  "page-token-repeated": error("A listing returned the same page token twice", "check the endpoint"),
  "pages-unsupported": error("The method has no pages", "call the method once"),
  "answer-not-json": error("The response is not JSON", "check the endpoint, and proxies before it"),
  "body-cut": error("The response ended too early", "run the command again"),
  "chunk-size": error("The size of a chunk is not valid", "use a size that the message names"),
  "upload-session-missing": error("The service did not start an upload session", "check the endpoint"),
  "upload-stalled": error("An upload makes no progress", "retry the upload"),
  "upload-unsupported": error("The method does not support this kind of upload", "use a kind that the message names"),
  "upload-type": error(
    "The content type of the upload is missing or not valid",
    "give a media type, for example image/png",
  ),
  "media-type": error("The method does not accept the media type", "use a type that the message names"),
  "media-too-large": error("The media are larger than the method allows", "use smaller media"),
  "media-length": error("The length of the media is not the given length", "give the correct length"),
  "media-missing": error("The media are missing", "give the content of the upload"),
  "cache-unwritable": warning("The cache folder cannot be written", "check its path and permissions"),
  "copy-stale": warning(
    "The copy in the cache is old, and the service did not answer",
    "run the command again with network access",
  ),
  "offline-miss": error(
    "The cache has no copy, and requests are not allowed",
    "run the command once with network access",
  ),
  "entry-url-invalid": error("The URL of an API in the list is not valid", "use https:// or http://"),
  "description-mismatch": error("The service returned the description of another API", "check the endpoint"),
  "description-malformed": error("An API description is not valid", "fix the field that the message names"),
  "description-too-large": error("An API description is larger than the limit", "check the file"),
  "description-not-json": error("An API description is not JSON", "check the file or the endpoint"),
  "description-kind": error("The file is not an API description", "use the document that the message names"),
  "description-duplicate": error("Several files describe one API", "keep one of them"),
  "preferred-unknown": error("A preferred version has no description", "use a version that has one"),
  "folder-unreadable": error("A folder of descriptions cannot be read", "use a folder with one *.json file per API"),
  "address-ambiguous": warning("Two methods have the same address", "check the description"),
  "fields-invalid": error("The selection of fields is not valid", "write it as in items(name,id),nextPageToken"),
  "endpoint-missing": error("The description has no endpoint", "give one"),
  "endpoint-invalid": error("The endpoint is not a valid URL", "use https://HOST, without query and user"),
  "endpoint-unknown": error("The API has no endpoint in this location", "use a location that the message lists"),
  "parameter-required": error("A required parameter is missing", "give the parameter"),
  "parameter-unknown": error("The method has no such parameter", "use a parameter that 'api show' lists"),
  "parameter-type": error("A parameter has another type", "use the type that the message names"),
  "parameter-pattern": error("A parameter does not match its pattern", "use a value that matches the whole pattern"),
  "parameter-enum": error("A parameter is not one of the allowed values", "use a value that the message lists"),
  "parameter-minimum": error("A parameter is below its minimum", "use a larger value"),
  "parameter-maximum": error("A parameter is above its maximum", "use a smaller value"),
  "parameter-format": error("A parameter does not have its format", "use the format that the message names"),
  "parameter-repeated": error("A parameter has several values, and the method accepts one", "give one value"),
  "parameter-too-long": error("A parameter is longer than the limit", "use a shorter value"),
  "parameter-encoding": error("A parameter is not valid Unicode", "use Unicode text"),
  "parameter-dot-segment": error(
    "A parameter would change the path of the request",
    "use a value without '.' and '..' segments",
  ),
  "http-method-invalid": error("The description has an HTTP method that is not valid", "check the description"),
  "path-unsupported": error("The description has a path that is not supported", "check the description"),
  "body-unexpected": error("The method takes no body", "leave the body out"),
  "body-required": error("The body is missing", "give the body"),
  "body-not-json": error("The body cannot be written as JSON", "use plain values without cycles"),
  "request-undeclared": error("The method has no request body", "name a schema, or use --as response"),
  "response-undeclared": error("The method has no response body", "name a schema, or use --as request"),
  "pattern-unchecked": warning("A pattern takes too long to check", "check the value manually"),
} as const satisfies CodeTable;

export const bodyErrors = Object.fromEntries(
  Object.entries(valueFindings).map(([code, known]) => [`body-${code}`, known]),
) as Readonly<Record<`body-${keyof typeof valueFindings}`, CodeMeaning>>;

declare module "../../findings/codes" {
  interface Codes
    extends Record<keyof typeof oddityCodes, true>,
      Record<keyof typeof bodyErrors, true>,
      Record<keyof typeof valueFindings, true>,
      Record<keyof typeof comparisonFindings, true>,
      Record<keyof typeof apiErrors, true> {}
}

/** A code of a finding about a value. */
export type ValueFindingCode = keyof typeof valueFindings;

/**
 * A deviation of a value from its description, or a use that the description advises against.
 *
 * Severity `error`: the service would refuse the value. `warning`: the service ignores the value, or the value is newer
 * than the description. The subject is a JSON Pointer (RFC 6901) into the value, empty for the value itself; or the
 * name
 * of a parameter, the id of a method, or the URL of an endpoint.
 */
export type ValueFinding = CodedFinding<ValueFindingCode>;

export const valueFinding = findingsOf(valueFindings);
