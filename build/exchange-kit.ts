/**
 * Rewrites a compiled file of the constructs for CDK Terrain: every string literal that is exactly a package of cdktf
 * becomes the package of cdktn, and the folder of the constructs becomes the folder of the copy. Other text that
 * mentions cdktf stays.
 *
 * @param text JavaScript or a type declaration
 */
export function exchangeKit(text: string): string {
  return text
    .replace(/(["'])cdktf\1/g, "$1cdktn$1")
    .replace(/(["'])@cdktf\/provider-google(\/[^"'\s]*)?\1/g, "$1@cdktn/provider-google$2$1")
    .replace(/(["'])\.\/constructs\1/g, "$1./cdktn-constructs$1");
}

/** Rewrites a user's source for CDK Terrain, as docs/cdk-terrain.md describes. */
export function forCdkTerrain(text: string): string {
  return exchangeKit(text).replaceAll('"cdktf-google-cert-migration"', '"cdktf-google-cert-migration/cdktn"');
}
