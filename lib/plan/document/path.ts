/** The steps of a JSON pointer (RFC 6901). */
export function stepsOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** A step into a JSON pointer. */
export function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

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
