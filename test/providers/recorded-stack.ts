/** Sends a request outside of Terraform. @param path below the cloud's address */
export type Prepare = (httpMethod: string, path: string, body?: object) => Promise<unknown>;

interface RecordedStep {
  readonly name: string;
  /** What the step adds to the provider and the required version; undefined destroys everything. */
  readonly stack: object | undefined;
}

/** The steps of a stack, which each provider runs. */
export interface RecordedStack {
  readonly name: string;
  readonly prepare?: (send: Prepare) => Promise<void>;
  readonly steps: readonly RecordedStep[];
  /** Maximum number of concurrent operations of Terraform. @default 1 */
  readonly parallelism?: number;
}
