export { annotationLines } from "./annotations";
export { junitXml } from "./junit";
export { commentLimit, markdownText } from "./markdown";
export type { CommandResult, FilePlace, PlacedFinding, ResultCheck, ResultTable } from "./model";
export { createPlacer, type PlacedFile, terraformPlaces } from "./places";
export { sarifLog } from "./sarif";
