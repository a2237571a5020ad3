export * from "./model";
export { terraformModuleOf, writeOnlyVersions } from "./module-json";
