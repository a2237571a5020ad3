import type { RehearsalOptions } from "../../../rehearsal";
import type { RehearsedInput } from "../../../report";

/** Describes the source of a rehearsal, with fields of {@link RehearsalOptions}. */
export interface RehearsalSource {
  readonly options: Pick<RehearsalOptions, "synthesize" | "hostnames" | "addedHostname"> & Partial<RehearsalOptions>;
  readonly input: RehearsedInput;
  /** Notes that the user should read before the rehearsal begins. */
  readonly notes: readonly string[];
}
