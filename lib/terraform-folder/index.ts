export { copyModuleFolders, rootPathOf } from "./copy-folder";
export { gateNamesIn, provisionersIn } from "./gates";
export { generatedModulesIn, type ModuleFolder, readModuleFolders } from "./read-folder";
