export { startTerraformProvider, type TerraformProvider, type TerraformProviderOptions } from "./start";
export type { StateBackend } from "./state-backend";
