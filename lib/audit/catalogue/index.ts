export {
  type EventDefinition,
  type EventName,
  type EventParameter,
  type EventType,
  type EventTypeOf,
  eventCatalogue,
  eventNames,
  eventTypes,
  type ParameterNameOf,
  type ParametersOf,
  placeholdersOf,
} from "./catalogue";
export { catalogueMarkdown } from "./markdown";
export {
  aliasesOf,
  type CompanyWords,
  canonicalType,
  defaultWords,
  findEvent,
  loggingMethodName,
  type RecordedName,
  serviceName,
} from "./names";
export {
  type ParameterDefinition,
  type ParameterName,
  type ParameterType,
  type ParameterValueOf,
  parameterDefinitions,
} from "./parameters";
export {
  unwatchedValues,
  type WatchClass,
  type WatchClassName,
  type WatchedEvent,
  watchClasses,
  watchClassNames,
} from "./watch-classes";
