export { bashCompletion } from "./bash";
export { fishCompletion } from "./fish";
export { completionModel } from "./model";
export { zshCompletion } from "./zsh";
