/** A stack as Terraform reads it, `cdk.tf.json`. */
export type StackJson = Readonly<Record<string, unknown>>;

/** The project of the provider block. */
export function projectOf(stack: StackJson): string {
  const { google = [] } = (stack.provider ?? {}) as { readonly google?: readonly { readonly project?: string }[] };
  return google[0]?.project ?? "my-project";
}

/** The stack with the state of the folder that Terraform runs in: its own backend, or its home at a service, gives way. */
export function withLocalState(stack: StackJson): StackJson {
  const {
    backend: _backend,
    cloud: _cloud,
    ...terraform
  } = (stack.terraform ?? {}) as Readonly<Record<string, unknown>>;
  return { ...stack, terraform };
}
