export { DescriptionClient, type DescriptionClientOptions, type DescriptionEntry, type ListFilter } from "./client";
