/** A question to DNS, asked over the network. */
export type LookUp = (name: string, type: "CNAME" | "CAA") => Promise<LookUpAnswer>;

export interface LookUpAnswer {
  /** As in `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`; `TIMEOUT` where nothing came. */
  readonly rcode: string;
  /** Records of the type asked for, data as in a zone file: `x.example.net.`, `0 issue "pki.goog"`. */
  readonly data: readonly string[];
}
