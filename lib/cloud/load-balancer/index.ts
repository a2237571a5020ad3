export { type Listening, LoadBalancers } from "./load-balancers";
