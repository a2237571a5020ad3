export { type Bindings, bindingsAt } from "./bindings";
export { installedBindings, openBindings, type ProviderRequirement } from "./installed";
export type { Attribute, AttributeType, Block, NestedBlock } from "./model";
export { dataSourceSchema, providerSchema, resourceSchema } from "./schemas";
export { shapeBlock } from "./shape";
