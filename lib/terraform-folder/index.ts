export { copyModuleFolders, countsOverCopy, foreignLinksIn, rootPathOf } from "./copy-folder";
export { gateNamesIn, provisionersIn } from "./gates";
export {
  generatedModulesIn,
  installedModulesIn,
  isInstalledListUnclear,
  isLocal,
  type ModuleFolder,
  readModuleFolders,
} from "./read-folder";
export { modulesWithValuesIn, stackWithValues } from "./variables";
