import { ownDescription } from "../discovery";

let known: ReadonlySet<string> | undefined;

/** The regions of Google Cloud: those in which Compute Engine has an endpoint, as its description lists them. */
export function regions(): ReadonlySet<string> {
  known ??= new Set(
    (ownDescription("compute:v1").document.endpoints ?? []).map(({ location = "" }) => location).sort(),
  );
  return known;
}
