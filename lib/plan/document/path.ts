import { stepsOf } from "../../json/pointer";

/** Formats a JSON pointer as a readable path, for example `certificates[0].domains` or `dns.zones["example.com"]`. */
export function pathOf(pointer: string): string {
  let path = "";
  for (const step of stepsOf(pointer)) {
    if (/^\d+$/.test(step)) path += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) path += path === "" ? step : `.${step}`;
    else path += `[${JSON.stringify(step)}]`;
  }
  return path;
}
