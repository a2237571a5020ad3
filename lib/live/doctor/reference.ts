/** A resource that the migration names but does not create. The resource must exist before the first apply. */
export interface Reference {
  /** ID for the look-up: a path, a project or an address. */
  readonly id: string;
  /**
   * The field that names the resource, for example `urlMap of the target proxy web`.
   *
   * @default - the resource is named on its own
   */
  readonly by?: string;
  /** Whether the outputs of an applied stack contain the resource. @default false */
  readonly isApplied?: boolean;
}
