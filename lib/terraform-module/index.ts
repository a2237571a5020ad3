export * from "./model";
export { terraformModuleOf } from "./module-json";
export { rootBlocksOf } from "./root-blocks";
