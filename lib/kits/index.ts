export { type Kit, type KitName, kits, otherKit } from "./kits";
