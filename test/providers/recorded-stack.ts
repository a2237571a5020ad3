/** Makes something past Terraform. @param path below the cloud's address */
export type Prepare = (httpMethod: string, path: string, body?: object) => Promise<unknown>;

interface RecordedStep {
  readonly name: string;
  /** What the step adds to the provider and the required version; undefined destroys everything. */
  readonly stack: object | undefined;
}

/** A stack through its life, as each provider runs it. */
export interface RecordedStack {
  readonly name: string;
  readonly prepare?: (send: Prepare) => Promise<void>;
  readonly steps: readonly RecordedStep[];
  /** Resources that Terraform handles at the same time. @default 1 */
  readonly parallelism?: number;
}
