export { planAttributes } from "./attributes";
export { checkChoices } from "./choices";
export { equivalent } from "./equivalence";
export { hasManagedLabels, type LabelSettings, planLabels, toldLabels } from "./labels";
export { covers, type Equivalence, nameIn, type Overlay } from "./overlay";
export { reconcile, settle } from "./reconcile";
export { type Path, replacements } from "./replace";
