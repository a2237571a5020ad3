export {
  fromEnvironment,
  type GateCall,
  gateRun,
  listSeparator,
  type ProgramRun,
  rehearsalProcess,
  verifyEnvironment,
  verifyVariables,
  waitEnvironment,
  waitVariables,
} from "./calls";
export { gateCallOf, hasTemplate } from "./gate-call";
