/** What differs between the environments. */
export interface Environment {
  readonly name: "staging" | "production";
  readonly project: string;
  /** Domain of the zone and of the certificate. */
  readonly domain: string;
  /** Certificate map that existed before this app. @default - the app creates a map */
  readonly existingMap?: string;
}

export const environments: readonly Environment[] = [
  { name: "staging", project: "acme-staging", domain: "staging.example.com" },
  {
    name: "production",
    project: "acme-production",
    domain: "example.com",
    existingMap: "projects/acme-production/locations/global/certificateMaps/web",
  },
];

/** Bucket with the Terraform state of all stacks. */
export const stateBucket = "acme-terraform";
