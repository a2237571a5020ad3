export { type RealProviderOptions, realProviderArguments } from "./real-provider";
export { startTerraformProvider, type TerraformProvider, type TerraformProviderOptions } from "./start";
export type { StateBackend } from "./state-backend";
