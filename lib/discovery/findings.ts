import { type Finding as AnyFinding, findingsOf } from "../findings/finding";
import { valueFindings } from "./codes";

export type FindingCode = keyof typeof valueFindings;

/**
 * A deviation of a value from its description, or a use that the description advises against.
 *
 * Severity `error`: the service would refuse the value. `warning`: the service ignores the value, or the value is newer
 * than the description. The subject is a JSON Pointer (RFC 6901) into the value, empty for the value itself; or the name
 * of a parameter, the id of a method, or the URL of an endpoint.
 */
export type Finding = AnyFinding<FindingCode>;

export const finding = findingsOf(valueFindings);
