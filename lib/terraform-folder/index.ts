export { copyModuleFolders, rootPathOf } from "./copy-folder";
export { provisionersIn } from "./gates";
export { generatedModulesIn } from "./generated-modules";
export { type ModuleFolder, readModuleFolders } from "./read-folder";
