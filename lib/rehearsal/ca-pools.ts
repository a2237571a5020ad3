import { parseLocatedName, writeLocatedName, writeLocation } from "../resource-names";
import type { Preparation } from "./lookups";
import { createPost, type Post } from "./post-resource";
import { isLiteral, resourcesOf, type StackJson } from "./stack";

/**
 * Creates what certificates of private CAs refer to by literal ids: the CA pools, each with an enabled CA, and the
 * existing issuance configs. Pools that the stack itself creates are references, and are left to Terraform.
 */
export async function makeNamedPools(
  stack: StackJson,
  { cloudUrl, http }: Pick<Preparation, "cloudUrl" | "http">,
): Promise<void> {
  const post = createPost({ cloudUrl, http }, "preparing the CA pools that exist today", [409]);
  for (const pool of new Set(poolsOf(stack))) await makePool(post, pool);
  for (const id of new Set(existingConfigsOf(stack))) await makeConfig(post, id);
}

function poolsOf(stack: StackJson): readonly string[] {
  return Object.values(resourcesOf(stack, "google_certificate_manager_certificate_issuance_config"))
    .map(({ certificate_authority_config: config }) => poolIn(config))
    .filter(isLiteral);
}

/** Reads the pool of an issuance config, whose blocks are objects or lists. */
function poolIn(config: unknown): unknown {
  return ["certificate_authority_service_config", "ca_pool"].reduce<unknown>(
    (block, key) => (firstOf(block) as Readonly<Record<string, unknown>> | undefined)?.[key],
    config,
  );
}

function existingConfigsOf(stack: StackJson): readonly string[] {
  return Object.values(resourcesOf(stack, "google_certificate_manager_certificate"))
    .map(({ managed }) => (firstOf(managed) as Readonly<Record<string, unknown>> | undefined)?.issuance_config)
    .filter(isLiteral);
}

function firstOf(block: unknown): unknown {
  return Array.isArray(block) ? block[0] : block;
}

async function makePool(post: Post, id: string): Promise<void> {
  const pool = parseLocatedName(id);
  if (pool === undefined) return;
  const parent = `v1/${writeLocation(pool)}/caPools`;
  await post(`${parent}?caPoolId=${pool.name}`, { tier: "DEVOPS" });
  await post(`${parent}/${pool.name}/certificateAuthorities?certificateAuthorityId=rehearsal`, {
    type: "SELF_SIGNED",
    config: {
      subjectConfig: { subject: { organization: "Rehearsal", commonName: `CA of ${pool.name}` } },
      x509Config: { caOptions: { isCa: true }, keyUsage: { baseKeyUsage: { certSign: true, crlSign: true } } },
    },
    keySpec: { algorithm: "EC_P256_SHA256" },
    lifetime: "315360000s",
  });
  await post(`${parent}/${pool.name}/certificateAuthorities/rehearsal:enable`, {});
}

/** Creates an issuance config. Its pool is not in the stack: it gets one of its own. */
async function makeConfig(post: Post, id: string): Promise<void> {
  const config = parseLocatedName(id);
  if (config === undefined) return;
  const { project, location, name } = config;
  const pool = writeLocatedName({
    project,
    location: location === "global" ? "us-central1" : location,
    collection: "caPools",
    name: "rehearsal",
  });
  await makePool(post, pool);
  await post(`v1/${writeLocation(config)}/certificateIssuanceConfigs?certificateIssuanceConfigId=${name}`, {
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: pool } },
    lifetime: "2592000s",
    rotationWindowPercentage: 66,
    keyAlgorithm: "RSA_2048",
  });
}
