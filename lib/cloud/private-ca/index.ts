export { PrivateCas, type PrivateCasOptions } from "./service";
