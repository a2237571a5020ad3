export { copyModuleFolders, rootPathOf } from "./copy-folder";
export { gateNamesIn, provisionersIn } from "./gates";
export { generatedModulesIn } from "./generated-modules";
export { type ModuleFolder, readModuleFolders } from "./read-folder";
