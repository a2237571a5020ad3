export { type EndpointChoice, pathBelowRoot, type RootAddress, rootAddress, servicePathOf } from "./base-address";
export { isBindable, mostVariablesInSegment } from "./path-binding";
export {
  type Encoding,
  encodeLiteral,
  encodeVariable,
  hasDotSegment,
  isFlatPathOf,
  type PathTemplate,
  parsePathTemplate,
  type TemplatePart,
} from "./path-template";
export { Router } from "./router";
