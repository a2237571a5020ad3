export { locate, type MigrationDocument } from "./locate";
export {
  type DocumentOrigin,
  documentProblems,
  type ParsedMigration,
  parseMigrationDocument,
} from "./parse";
export { type DocumentProblem, formatProblems, type Position } from "./problem";
export { suggest } from "./suggest";
export { type WriteOptions, writeMigrationDocument } from "./write";
