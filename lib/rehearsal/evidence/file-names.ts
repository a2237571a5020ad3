/** File of the verdict, as JSON. */
export const resultName = "result.json";

/** File that describes the evidence and how to check it. It is written first. */
export const readMeName = "EVIDENCE.txt";

/** File of the SHA-256 digests of all other files, in the format of `sha256sum`. */
export const digestsName = "SHA256SUMS";

/** First line of {@link readMeName}, which identifies the file. */
export const readMeTitle = "Evidence of a rehearsal.";

/** Files of recorded events, as JSON lines. */
export const lineNames = {
  probes: "probes.jsonl",
  answers: "answers.jsonl",
  requests: "requests.jsonl",
  certificates: "certificates.jsonl",
  discarded: "discarded.jsonl",
} as const;
