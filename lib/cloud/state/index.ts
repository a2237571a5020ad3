export { type Clock, type CloudClock, createCloudClock } from "./clock";
export { type Collection, groupBy, openStore, type Store } from "./store";
