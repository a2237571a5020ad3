import type { Json, Side } from "../../side";

export const poolMethods = "privateca.projects.locations.caPools";
export const caMethods = `${poolMethods}.certificateAuthorities`;

/** Lifetime of the root CA: 3,650 days. */
export const caLifetimeDays = 3_650;

/** Returns the location of the pools; the suite creates pools in one region. */
export const poolLocation = (side: Side) => side.location("us-central1");
export const poolName = (side: Side, word: string) => `${poolLocation(side)}/caPools/${side.name(word)}`;

export interface CaFixture {
  readonly pool: string;
  readonly ca: string;
  /** The CA as the operation of its creation returns it. */
  readonly created: Json;
}

/** Creates a pool in the cheaper tier, without a CA. */
export function createPool(side: Side, word: string): Promise<Json> {
  return side.run(
    `${poolMethods}.create`,
    { parent: poolLocation(side), caPoolId: side.name(word) },
    { tier: "DEVOPS" },
  );
}

/** Creates the only CA of a run, once: a CA has a price. */
export function sharedCa(side: Side): Promise<CaFixture> {
  return side.once("private-ca root", async () => {
    await createPool(side, "ca-pool");
    const pool = poolName(side, "ca-pool");
    const body = {
      type: "SELF_SIGNED",
      lifetime: `${caLifetimeDays * 86_400}s`,
      keySpec: { algorithm: "EC_P256_SHA256" },
      config: {
        subjectConfig: { subject: { commonName: side.name("root"), organization: "Conformance" } },
        x509Config: {
          caOptions: { isCa: true },
          keyUsage: { baseKeyUsage: { certSign: true, crlSign: true }, extendedKeyUsage: {} },
        },
      },
    };
    const parameters = { parent: pool, certificateAuthorityId: side.name("root") };
    const { response } = await side.run(`${caMethods}.create`, parameters, body);
    return { pool, ca: `${pool}/certificateAuthorities/${side.name("root")}`, created: response as Json };
  });
}

/** Returns the shared CA in the state `ENABLED`. */
export function enabledCa(side: Side): Promise<CaFixture> {
  return side.once("private-ca enabled root", async () => {
    const fixture = await sharedCa(side);
    const { state } = await side.make(`${caMethods}.get`, { name: fixture.ca });
    if (state !== "ENABLED") await side.run(`${caMethods}.enable`, { name: fixture.ca }, {});
    return fixture;
  });
}

/** Returns the shared CA in the state `DISABLED`, also if issuance configs refer to its pool. */
export function disabledCa(side: Side): Promise<CaFixture> {
  return side.once("private-ca disabled root", async () => {
    const fixture = await enabledCa(side);
    await side.run(`${caMethods}.disable`, { name: fixture.ca }, { ignoreDependentResources: true });
    return fixture;
  });
}

/** Returns the number of chains in the trust anchor of a pool. */
export async function anchorsOf(side: Side, pool: string): Promise<number> {
  const { caCerts = [] } = await side.make(`${poolMethods}.fetchCaCerts`, { caPool: pool }, {});
  return (caCerts as readonly unknown[]).length;
}
