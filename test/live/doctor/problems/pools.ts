import { serviceAgentOf } from "../../../../lib/live/doctor/ca-pool-checks";
import type { Place, SpecOfTest, World } from "../world";
import { type DoctorProblem, wwwOf } from "./make";

const locationOf = ({ project }: Pick<Place, "project">) => `projects/${project}/locations/europe-west6`;
export const poolOf = (place: Pick<Place, "project">) => `${locationOf(place)}/caPools/internal`;
const configOf = ({ project }: Pick<Place, "project">) =>
  `projects/${project}/locations/global/certificateIssuanceConfigs/corp`;
const requester = "roles/privateca.certificateRequester";
const tenYears = "315360000s";

/** The healthy migration, whose certificate comes from the pool. */
export const fromPool =
  (settings: object = {}): NonNullable<DoctorProblem["spec"]> =>
  (spec, place) => ({ ...spec, certificates: [certificateOf(place, { caPool: poolOf(place), ...settings })] });

const fromConfig: NonNullable<DoctorProblem["spec"]> = (spec: SpecOfTest, place: Place) => ({
  ...spec,
  certificates: [certificateOf(place, { existingIssuanceConfig: configOf(place) })],
});

function certificateOf({ domain }: Place, issuedBy: object): object {
  return { domains: [domain, wwwOf({ domain })], primary: true, issuedBy };
}

/** The settings of a pool; the default of each setting has no problem. */
interface PoolOfTest {
  readonly tier?: string;
  readonly issuancePolicy?: object;
  /** Lifetimes of its CAs. */
  readonly authorities?: readonly string[];
  readonly enabled?: boolean;
  /** Members of the role to request certificates. */
  readonly members?: readonly string[];
  readonly config?: object;
}

/** Makes a CA pool that can issue the migration's certificate. */
export async function makePool({ cloud }: World, place: Place, pool: PoolOfTest = {}): Promise<void> {
  const { tier = "ENTERPRISE", issuancePolicy = {}, authorities = [tenYears], enabled = true, config } = pool;
  await cloud.make("POST", `/v1/${locationOf(place)}/caPools?caPoolId=internal`, { tier, issuancePolicy });
  for (const [index, lifetime] of authorities.entries()) {
    const id = `root${index}`;
    await cloud.make("POST", `/v1/${poolOf(place)}/certificateAuthorities?certificateAuthorityId=${id}`, {
      type: "SELF_SIGNED",
      lifetime,
      keySpec: { algorithm: "EC_P256_SHA256" },
      config: { subjectConfig: { subject: { commonName: "Corp" } }, x509Config: { caOptions: { isCa: true } } },
    });
    if (enabled) await cloud.make("POST", `/v1/${poolOf(place)}/certificateAuthorities/${id}:enable`, {});
  }
  const members = pool.members ?? [`serviceAccount:${await agentOf({ cloud }, place)}`];
  await cloud.make("POST", `/v1/${poolOf(place)}:setIamPolicy`, {
    policy: { bindings: [{ role: requester, members }] },
  });
  if (config === undefined) return;
  const parent = `/v1/projects/${place.project}/locations/global/certificateIssuanceConfigs`;
  await cloud.make("POST", `${parent}?certificateIssuanceConfigId=corp`, {
    lifetime: "2592000s",
    rotationWindowPercentage: 66,
    keyAlgorithm: "ECDSA_P256",
    certificateAuthorityConfig: { certificateAuthorityServiceConfig: { caPool: poolOf(place) } },
    ...config,
  });
}

export async function agentOf({ cloud }: Pick<World, "cloud">, { project }: Pick<Place, "project">): Promise<string> {
  const { name } = await cloud.make("GET", `/v3/projects/${project}`);
  return serviceAgentOf(String(name).replace("projects/", ""));
}

const having =
  (pool: PoolOfTest): NonNullable<DoctorProblem["make"]> =>
  async (world, place) => {
    await makePool(world, place, pool);
    return undefined;
  };

/** CA pools that issue certificates of the migration. */
export const pools: readonly DoctorProblem[] = [
  {
    title: "a CA pool does not exist, and which one was meant",
    spec: (spec, place) => fromPool({ caPool: `${locationOf(place)}/caPools/interna` })(spec, place),
    make: having({}),
    found: (place) => [`existing-missing ${locationOf(place)}/caPools/interna`],
    says: [
      /which is the CA pool of the certificate$/,
      /^change it to projects\/p\d+\/locations\/europe-west6\/caPools\/internal/,
    ],
  },
  {
    title: "an existing issuance config does not exist",
    spec: fromConfig,
    found: (place) => [`existing-missing ${configOf(place)}`],
    says: [/^gcloud certificate-manager issuance-configs list --location=global --project=p\d+$/],
  },
  {
    title: "a CA pool has no CA",
    spec: fromPool(),
    make: having({ authorities: [] }),
    found: (place) => [`ca-pool-without-ca ${poolOf(place)}`],
    says: [/has no CA$/, /^gcloud privateca roots create CA --pool=internal --location=europe-west6 --project=p\d+$/],
  },
  {
    title: "no CA of a pool is enabled",
    spec: fromPool(),
    make: having({ enabled: false, authorities: [tenYears, tenYears] }),
    found: (place) => [`ca-pool-without-ca ${poolOf(place)}`],
    says: [
      /has no enabled CA: root0 is STAGED, root1 is STAGED$/,
      /^gcloud privateca roots enable root0 --pool=internal --location=europe-west6 --project=p\d+$/,
    ],
  },
  {
    title: "the CA behind an existing issuance config is disabled",
    spec: fromConfig,
    make: having({ enabled: false, config: {} }),
    found: (place) => [`ca-pool-without-ca ${poolOf(place)}`],
    says: [/root0 is STAGED$/],
  },
  {
    title: "Certificate Manager may not request certificates",
    spec: fromPool(),
    make: having({ members: ["user:somebody@example.com"] }),
    found: (place) => [`ca-pool-grant-missing ${poolOf(place)}`],
    says: [
      /^service-\d+@gcp-sa-certificatemanager\.iam\.gserviceaccount\.com has no role that allows requests in projects/,
      /^gcloud privateca pools add-iam-policy-binding internal --location=europe-west6 --project=p\d+ --member=serviceAccount:service-\d+@gcp-sa-certificatemanager\.iam\.gserviceaccount\.com --role=roles\/privateca\.certificateRequester$/,
    ],
  },
  {
    title: "the caller may not read the roles on a CA pool",
    spec: fromPool(),
    make: async (world, place) => {
      await makePool(world, place);
      const method = "privateca.projects.locations.caPools.getIamPolicy";
      world.cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });
      return undefined;
    },
    found: (place) => [`check-denied ${poolOf(place)} (service agent)`],
    says: [/reading the IAM policy of projects/],
  },
  {
    title: "the issuance policy of a pool refuses the key and the names",
    spec: fromPool({ keyAlgorithm: "RSA_2048" }),
    make: having({
      issuancePolicy: {
        allowedKeyTypes: [{ ellipticCurve: { signatureAlgorithm: "ECDSA_P256" } }],
        identityConstraints: {
          allowSubjectPassthrough: true,
          allowSubjectAltNamesPassthrough: true,
          celExpression: { expression: "subject_alt_names.all(san, san.value.endsWith('.corp.internal'))" },
        },
      },
    }),
    found: (place) => [`ca-pool-refuses ${poolOf(place)}`, `ca-pool-refuses ${poolOf(place)}`],
    says: [
      /the issuance policy allows no RSA_2048 keys$/,
      /the issuance policy refuses shop\d+\.com, www\.shop\d+\.com: subject_alt_names/,
      /^gcloud privateca pools describe internal --location=europe-west6 --project=p\d+$/,
    ],
  },
  {
    title: "the issuance policy of a pool shortens the certificates",
    spec: fromPool(),
    make: having({ issuancePolicy: { maximumLifetime: "864000s" } }),
    found: (place) => [`ca-pool-lifetime-short ${poolOf(place)}`],
    says: [/issues for at most 10 days, and certificates are to be valid for 30 days$/],
  },
  {
    title: "a CA expires before its certificates",
    spec: fromPool({ lifetime: "21d", rotationWindowPercentage: 50 }),
    make: having({ authorities: [tenYears, "1728000s"] }),
    found: (place) => [`ca-expires-early ${poolOf(place)}/certificateAuthorities/root1`],
    says: [/root1 expires on 2026-12-11T\S+, and certificates are to be valid for 21 days$/],
  },
  {
    title: "a pool can't revoke certificates",
    spec: fromPool(),
    make: having({ tier: "DEVOPS" }),
    found: (place) => [`ca-pool-devops ${poolOf(place)}`],
    says: ["has the tier DEVOPS"],
  },
];
