export { type InventoryFinding, type InventoryFindingCode, inventoryFindings } from "./findings";
export { type InventoryOptions, takeInventory } from "./inventory";
export type * from "./model";
export { certificateProblems } from "./problems";
export * from "./project";
export { inventoryToSpec, type SpecFromInventory } from "./to-spec";
