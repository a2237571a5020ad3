export { loadWorld } from "./load-world";
