/** Reasons of differences that are accepted, by the id of the behavior. */
export type Accepted = Readonly<Record<string, string>>;

/** Where the rehearsal cloud does otherwise than the sources, with the reason. */
export const acceptedInRehearsal: Accepted = {};

/** Where Google Cloud was seen to do otherwise than its sources. No run has been recorded yet. */
export const acceptedOnGoogle: Accepted = {};
