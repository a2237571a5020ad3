export { copyModuleFolders, rootPathOf } from "./copy-folder";
export { generatedModulesIn } from "./generated-modules";
export { type ModuleFolder, readModuleFolders } from "./read-folder";
