export { type Clock, type CloudClock, createCloudClock } from "./clock";
export { type Collection, openStore, type Store } from "./store";
