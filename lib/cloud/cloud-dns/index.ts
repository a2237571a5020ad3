export { CloudDns } from "./service";
