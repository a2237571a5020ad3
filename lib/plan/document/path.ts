import { stepsOf } from "../../json/pointer";

/** A JSON pointer as people write paths: `certificates[0].domains`, `dns.zones["example.com"]`. */
export function pathOf(pointer: string): string {
  let path = "";
  for (const step of stepsOf(pointer)) {
    if (/^\d+$/.test(step)) path += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) path += path === "" ? step : `.${step}`;
    else path += `[${JSON.stringify(step)}]`;
  }
  return path;
}
