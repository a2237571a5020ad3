export { type Clock, type CloudClock, createCloudClock } from "./clock";
export { groupBy } from "./group";
export { type Collection, openStore, type Store } from "./store";
