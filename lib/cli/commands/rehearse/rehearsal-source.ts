import type { RehearsalOptions } from "../../../rehearsal";

/** What a rehearsal is of, in the words of {@link RehearsalOptions}. */
export interface RehearsalSource {
  readonly options: Pick<RehearsalOptions, "synthesize" | "hostnames" | "addedHostname"> & Partial<RehearsalOptions>;
  /** What the user has to know of it before it begins. */
  readonly notes: readonly string[];
}
