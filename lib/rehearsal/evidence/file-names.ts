/** The verdict, as JSON. */
export const resultName = "result.json";

/** What there is, and how to check it: the first that is written. */
export const readMeName = "EVIDENCE.txt";

/** SHA-256 of every other file, as `sha256sum` writes it. */
export const digestsName = "SHA256SUMS";

/** By which {@link readMeName} is known. */
export const readMeTitle = "Evidence of a rehearsal.";

/** What happened, as JSON lines. */
export const lineNames = {
  probes: "probes.jsonl",
  answers: "answers.jsonl",
  requests: "requests.jsonl",
  certificates: "certificates.jsonl",
  discarded: "discarded.jsonl",
} as const;
