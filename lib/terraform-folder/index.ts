export { copyModuleFolders, countsOverCopy, foreignLinksIn, rootPathOf } from "./copy-folder";
export { type ForeignParts, leftOutParts, type UsedPart } from "./foreign-parts";
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
