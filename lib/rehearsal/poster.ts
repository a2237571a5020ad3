import type { HttpClient } from "../http";

/** A cloud in which something is made past Terraform, as what is there before a migration. */
export interface Place {
  readonly cloudUrl: string;
  readonly http: HttpClient;
}

/** Makes something by one POST. @param path below the cloud's URL @param accept statuses that are no error, in place of the usual ones */
export type Post = (path: string, body: object, accept?: readonly number[]) => Promise<void>;

/** @param purpose for messages, as in `preparing the rehearsal` @param usual statuses that are no error */
export function posterTo({ cloudUrl, http }: Place, purpose: string, usual: readonly number[] = []): Post {
  return async (path, body, accept = usual) => {
    await http.send({
      method: "POST",
      url: `${cloudUrl}${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose,
      accept,
    });
  };
}
