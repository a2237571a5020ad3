export { createFindRoot } from "./chain";
export { createOffers, type Greeting, greet } from "./greet";
export { type HostTarget, hostLabel, readHost, readHostList, uniqueHosts } from "./hosts";
export { createAskRecords } from "./names";
export { surveyHosts } from "./survey";
