export { allTroubles, type ExplainedTrouble } from "./troubles";
