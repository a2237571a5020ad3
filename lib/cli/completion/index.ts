export { bashCompletion } from "./bash";
export { fishCompletion } from "./fish";
export { type CompletedProgram, completionModel } from "./model";
export { zshCompletion } from "./zsh";
