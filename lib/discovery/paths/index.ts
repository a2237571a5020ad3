export { isFlatPathOf } from "./flat-path";
export { isBindable, mostVariablesInSegment } from "./path-binding";
export {
  type Encoding,
  encodeLiteral,
  encodeValue,
  hasDotSegment,
  type PathTemplate,
  parsePathTemplate,
  type TemplatePart,
} from "./path-template";
export { Router } from "./router";
export { pathBelowRoot, servicePathOf } from "./service-path";
