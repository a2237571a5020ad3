export { CloudDns, type ServedRecords } from "./service";
