/** Queries DNS over the network. */
export type LookUp = (name: string, type: "CNAME" | "CAA") => Promise<LookUpAnswer>;

export interface LookUpAnswer {
  /** Response code, for example `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`; `TIMEOUT` without a response. */
  readonly rcode: string;
  /** Records of the requested type, with data in zone-file form, for example `x.example.net.`, `0 issue "pki.goog"`. */
  readonly data: readonly string[];
}
