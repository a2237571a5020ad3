/**
 * Whether a string holds something that only Terraform knows: `${…}` as people write it, and the marks that CDKTF puts in place of
 * tokens (`${TfToken[…]}` in strings, `#{TfToken[…]}` in lists). Such a string can be passed on but not looked into.
 */
export function isReference(text: string): boolean {
  return text.includes("${") || text.includes("#{TfToken[");
}
