export { type Check, runChecks } from "./run";
