export { type EcsDocument, ecsDocument } from "./document";
