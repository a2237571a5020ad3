export { certificateProblems } from "./describe";
export { type InventoryFinding, type InventoryFindingCode, inventoryFindings } from "./findings";
export { type FileLimits, type InventoryOptions, takeInventory } from "./inventory";
export type * from "./model";
export { inventoryToSpec, type SpecFromInventory } from "./to-spec";
