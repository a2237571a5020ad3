export { planAttributes } from "./attributes";
export { checkChoices } from "./choices";
export { equivalent } from "./equivalence";
export { hasManagedLabels, type LabelSettings, labelAttributes, planLabels } from "./labels";
export { covers, type Equivalence, nameIn, type Overlay } from "./overlay";
export { reconcile, settle } from "./reconcile";
export { type Path, replacements } from "./replace";
