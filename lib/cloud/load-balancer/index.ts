export type { Unbound } from "./listening";
export { type FrontEndChange, type Listening, LoadBalancers } from "./load-balancers";
