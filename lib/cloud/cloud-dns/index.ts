export { CloudDns, type CloudDnsOptions } from "./service";
