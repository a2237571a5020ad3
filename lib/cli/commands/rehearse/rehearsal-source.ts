import type { RehearsalOptions } from "../../../rehearsal";

/** Describes the source of a rehearsal, with fields of {@link RehearsalOptions}. */
export interface RehearsalSource {
  readonly options: Pick<RehearsalOptions, "synthesize" | "hostnames" | "addedHostname"> & Partial<RehearsalOptions>;
  /** Notes that the user should read before the rehearsal begins. */
  readonly notes: readonly string[];
}
