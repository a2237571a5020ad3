export * from "./model";
export { terraformModuleOf, writeOnlyVersions } from "./module-json";
export { rootBlocksOf } from "./root-blocks";
