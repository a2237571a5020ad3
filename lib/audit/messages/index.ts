export { formatValue, renderMessage } from "./render";
