export { createFindRoot, type FindRoot } from "./chain";
export { type HostTarget, readHost, readHostList, uniqueHosts } from "./hosts";
export { type AskRecords, createAskRecords } from "./names";
export { type SurveyOptions, type SurveyRun, surveyHosts } from "./survey";
