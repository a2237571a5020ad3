export { PrivateCas } from "./service";
