import { ownDescription } from "../discovery";

let known: ReadonlySet<string> | undefined;

/** Returns the regions of Google Cloud: those with an endpoint of Compute Engine, as its description lists them. */
export function regions(): ReadonlySet<string> {
  known ??= new Set(
    (ownDescription("compute:v1").document.endpoints ?? []).map(({ location = "" }) => location).sort(),
  );
  return known;
}
