import { pointerTo } from "../../json/pointer";
import { quote } from "../../text/quote";
import {
  type CompanyWords,
  canonicalType,
  type EventDefinition,
  type EventName,
  type EventParameter,
  findEvent,
  type ParameterName,
  type ParametersOf,
  type RecordedName,
} from "../catalogue";
import type { ActivityEvent, KnownEvent, OtherParameter, RecordCode } from "./model";
import { type Data, isData, isImprecise, own, parameterValue, plainValue, typedValue } from "./values";

/** Records a finding. */
export type ReportRecordProblem = (code: RecordCode, message: string, pointer: string) => void;

/** Reads one event of a record, in any of the supported forms. */
export function readEvent(
  raw: unknown,
  pointer: string,
  words: CompanyWords | undefined,
  report: ReportRecordProblem,
): ActivityEvent {
  const data: Data = isData(raw) ? raw : {};
  const malformed = "the event is not an object; expected type, name and parameters";
  if (!isData(raw)) report("event-malformed", malformed, pointer);
  const name = textOf(data, "name");
  const type = canonicalType(textOf(data, "type"));
  if (name === "") report("event-name-missing", "the event has no name", `${pointer}/name`);
  const definition = findEvent(name, words);
  if (definition === undefined) {
    report("event-unknown", `the event ${quote(name)} is not in the catalogue`, `${pointer}/name`);
  } else if (type === "") {
    report("event-type-missing", `the event ${name} has no type; it is ${definition.type}`, `${pointer}/type`);
  } else if (type !== definition.type) {
    const message = `the event ${name} is of type ${definition.type}, not ${quote(type)}`;
    report("event-type-unknown", message, `${pointer}/type`);
  }
  const parameters = readParameters(data, `${pointer}/parameters`, report);
  return definition !== undefined && (type === "" || type === definition.type)
    ? knownEvent(definition, name, raw, parameters, report)
    : unknownEvent(name, type, raw, parameters, report);
}

interface ReadParameter extends OtherParameter {
  readonly pointer: string;
}

function knownEvent(
  definition: EventDefinition,
  name: string,
  raw: unknown,
  read: readonly ReadParameter[],
  report: ReportRecordProblem,
): ActivityEvent {
  const parameters: Partial<Record<ParameterName, string | boolean>> = {};
  const otherParameters: OtherParameter[] = [];
  for (const found of read) {
    const known = definition.parameters.find((parameter) => parameter.name === found.name);
    const typed = known === undefined ? undefined : typedValue(known, found.value);
    const problem = problemOf(definition, known, found, typed, parameters);
    if (problem !== undefined) report(problem.code, problem.message, found.pointer);
    if (known === undefined || typed === undefined || Object.hasOwn(parameters, known.name)) {
      otherParameters.push({ name: found.name, value: found.value, raw: found.raw });
    } else {
      parameters[known.name] = typed;
    }
  }
  for (const parameter of definition.parameters) {
    if (!parameter.inMessage || read.some((found) => found.name === parameter.name)) continue;
    report("parameter-missing", `the event ${definition.name} has no ${parameter.name}, which its message names`, "");
  }
  // The compiler cannot infer from the catalog lookup that the parameters belong to this name.
  const event: KnownEvent = {
    name: name as RecordedName<EventName>,
    canonicalName: definition.name,
    type: definition.type,
    known: true,
    parameters: parameters as ParametersOf<EventName>,
    otherParameters,
    raw,
  };
  return event as ActivityEvent;
}

function problemOf(
  { name }: EventDefinition,
  known: EventParameter | undefined,
  found: ReadParameter,
  typed: string | boolean | undefined,
  before: object,
): { readonly code: RecordCode; readonly message: string } | undefined {
  const problem = (code: RecordCode, what: string) => ({
    code,
    message: `the parameter ${quote(found.name)} of ${name} ${what}`,
  });
  if (known === undefined) return problem("parameter-unknown", "is not in the catalogue");
  if (typed === undefined) return problem("parameter-malformed", `is not of type ${known.type}`);
  if (Object.hasOwn(before, known.name)) return problem("parameter-repeated", "is given twice");
  if (known.values === undefined || known.values.includes(String(typed))) return undefined;
  return problem("parameter-value-unlisted", `is ${quote(String(typed))}; listed are ${known.values.join(", ")}`);
}

function unknownEvent(
  name: string,
  type: string,
  raw: unknown,
  read: readonly ReadParameter[],
  report: ReportRecordProblem,
): ActivityEvent {
  const seen = new Set<string>();
  for (const { name: parameter, value, pointer } of read) {
    const subject = `the parameter ${quote(parameter)} of ${quote(name)}`;
    if (value === undefined) report("parameter-malformed", `${subject} can't be read`, pointer);
    if (seen.has(parameter)) report("parameter-repeated", `${subject} is given twice`, pointer);
    seen.add(parameter);
  }
  return {
    name,
    canonicalName: undefined,
    type,
    known: false,
    parameters: {},
    otherParameters: read.map(({ pointer: _, ...parameter }) => parameter),
    raw,
  };
}

/** Reads the parameters of an event: the service's list, no field, or the map that collectors write. */
function readParameters(event: Data, pointer: string, report: ReportRecordProblem): readonly ReadParameter[] {
  const list = own(event, "parameters");
  if (list === undefined) return [];
  if (Array.isArray(list)) return list.map((item: unknown, index) => readListed(item, `${pointer}/${index}`, report));
  if (isData(list)) {
    report("parameters-map", "the parameters are a map; the service gives a list of names and values", pointer);
    return Object.entries(list).map(([name, raw]) => {
      const at = pointerTo(pointer, name);
      if (isImprecise(raw)) reportImprecise(name, at, report);
      return { name, value: plainValue(raw), raw, pointer: at };
    });
  }
  report("parameters-malformed", "the parameters are neither a list nor a map", pointer);
  return [];
}

function readListed(raw: unknown, pointer: string, report: ReportRecordProblem): ReadParameter {
  const data: Data = isData(raw) ? raw : {};
  const name = textOf(data, "name");
  if (name === "") report("parameter-name-missing", "the parameter has no name", pointer);
  if (isImprecise(own(data, "intValue")) || isImprecise(own(data, "value"))) reportImprecise(name, pointer, report);
  return { name, value: isData(raw) ? parameterValue(data) : undefined, raw, pointer };
}

function reportImprecise(name: string, pointer: string, report: ReportRecordProblem): void {
  const message = `the number ${quote(name)} lost digits before it came here; read the text with readJson`;
  report("number-imprecise", message, pointer);
}

function textOf(data: Data, name: string): string {
  const value = own(data, name);
  return typeof value === "string" ? value : "";
}
