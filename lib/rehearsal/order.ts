/** Order of the deploys of a rehearsal. */
export type RehearsalOrder =
  | "phases"
  | "one deploy"
  | "traffic at once"
  | "without traffic"
  | "certificates alone"
  | "map attached at once"
  | "certificates removed first";
