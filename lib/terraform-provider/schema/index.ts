export { type Bindings, openBindings } from "./bindings";
export type { Attribute, AttributeType, Block, NestedBlock } from "./model";
export { dataSourceSchema, providerSchema, resourceSchema } from "./schemas";
export { shapeBlock } from "./shape";
