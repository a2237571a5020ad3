export { ObjectStorage } from "./service";
