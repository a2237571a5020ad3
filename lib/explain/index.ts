export { allCodes, type ExplainedCode } from "./codes";
