export * from "./catalogue";
export * from "./markdown";
export * from "./names";
export {
  type ParameterDefinition,
  type ParameterName,
  type ParameterType,
  type ParameterValueOf,
  parameterDefinitions,
} from "./parameters";
export * from "./watch-classes";
