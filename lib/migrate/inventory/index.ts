export { type InventoryOptions, takeInventory } from "./inventory";
export type { Inventory, InventoryCertificate, InventoryError } from "./model";
export { inventoryToSpec, type SpecFromInventory } from "./to-spec";
