export * from "./model";
export { readmeFile, readmeOf, testFile, testsOf } from "./module-files";
export { terraformModuleOf, writeOnlyVersions } from "./module-json";
