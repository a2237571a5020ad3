export type { DescriptionAnswer, DescriptionRequest } from "./answer";
export { type DescriptionFolder, descriptionsFromFolder } from "./folder";
export { createDescriptionService, type DescriptionService, type DescriptionServiceOptions } from "./service";
