export { type FrontEndChange, type Listening, LoadBalancers } from "./load-balancers";
export type { Unbound } from "./unbound";
