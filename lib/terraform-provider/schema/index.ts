export { type Bindings, openBindings } from "./bindings";
export { classOfType, deriveBlock } from "./derive";
export type { Attribute, AttributeType, Block, NestedBlock } from "./model";
export { shapeBlock } from "./shape";
