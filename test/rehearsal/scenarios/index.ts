import { apiScenarios } from "./api";
import { changeScenarios } from "./changes";
import { contrastScenarios } from "./contrast";
import { frontScenarios } from "./fronts";
import { inPlaceScenarios } from "./in-place";
import { killScenarios } from "./kills";
import { mutualTlsScenarios } from "./mutual-tls";
import { pipelineScenarios } from "./pipelines";
import { renewalScenarios, renewalUnderGates } from "./renewals";
import { savedPlanScenarios } from "./saved-plans";
import type { Scenario } from "./scenario";
import { shapeScenarios } from "./shapes";
import { proofScenarios } from "./validation";

export { runScenario, type ScenarioResult } from "./run";
export type { Scenario } from "./scenario";
export { renewalUnderGates };

/** The fault matrix. */
export const scenarios: readonly Scenario[] = [
  ...shapeScenarios,
  ...apiScenarios,
  ...proofScenarios,
  ...killScenarios,
  ...frontScenarios,
  ...inPlaceScenarios,
  ...mutualTlsScenarios,
  ...changeScenarios,
  ...renewalScenarios,
  ...savedPlanScenarios,
  ...pipelineScenarios,
  ...contrastScenarios,
];
