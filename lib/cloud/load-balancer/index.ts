export { type Listening, LoadBalancers, type LoadBalancersOptions } from "./load-balancers";
