export { type Path, planAttributes, replacements } from "./attributes";
export { equivalent } from "./equivalence";
export { hasManagedLabels, type LabelSettings, labelAttributes, planLabels } from "./labels";
export { checkChoices, type Equivalence, includesName, nameIn, type Overlay } from "./overlay";
export { reconcile, settle } from "./reconcile";
