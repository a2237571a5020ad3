export { type Clock, type CloudClock, createCloudClock } from "./clock";
export { type Collection, indexBy, openStore, type Store } from "./store";
