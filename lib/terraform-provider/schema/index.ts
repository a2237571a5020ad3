export { type Bindings, bindingsAt } from "./bindings";
export { dataSourceSchema, providerSchema, resourceSchema } from "./derive";
export { installedBindings, openBindings, type ProviderRequirement } from "./installed";
export { type Attribute, type AttributeType, type NestedBlock, type SchemaBlock, shapeBlock } from "./model";
