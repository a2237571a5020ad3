/**
 * Returns whether a string contains a value that only Terraform knows: `${…}` as users write it, or the placeholders of
 * CDKTF tokens (`${TfToken[…]}` in strings, `#{TfToken[…]}` in lists). A reference can be passed on, but its value
 * cannot be checked.
 */
export function isReference(text: string): boolean {
  return text.includes("${") || text.includes("#{TfToken[");
}
