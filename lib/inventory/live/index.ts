export { createFindRoot, type FindRoot } from "./chain";
export { createOffers, type Greeting, type GreetingTarget, greet, type Offer } from "./greet";
export { type HostTarget, readHost, readHostList, uniqueHosts } from "./hosts";
export { type AskRecords, createAskRecords } from "./names";
export { type SurveyOptions, surveyHosts } from "./survey";
