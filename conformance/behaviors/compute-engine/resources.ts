import type { Answer, Json, Side } from "../../side";
import { makeUpload } from "../../uploads";

/** Region of the regional resources of a run. */
const region = "us-central1";

/** Returns the parameters of a global method. */
export function project(side: Side): { readonly project: string } {
  return { project: side.project };
}

/** Returns the parameters of a regional method. */
export function regional(side: Side): { readonly project: string; readonly region: string } {
  return { project: side.project, region };
}

/** Parameters of methods on one resource, by the collection of its methods. */
const parameters = {
  addresses: "address",
  backendServices: "backendService",
  forwardingRules: "forwardingRule",
  globalAddresses: "address",
  globalForwardingRules: "forwardingRule",
  healthChecks: "healthCheck",
  regionBackendServices: "backendService",
  regionSslCertificates: "sslCertificate",
  regionSslPolicies: "sslPolicy",
  regionTargetHttpsProxies: "targetHttpsProxy",
  regionUrlMaps: "urlMap",
  sslCertificates: "sslCertificate",
  sslPolicies: "sslPolicy",
  targetHttpsProxies: "targetHttpsProxy",
  targetSslProxies: "targetSslProxy",
  urlMaps: "urlMap",
} as const;

export type ComputeCollection = keyof typeof parameters;

function isRegional(collection: ComputeCollection): boolean {
  return collection.startsWith("region") || collection === "addresses" || collection === "forwardingRules";
}

function placeOf(side: Side, collection: ComputeCollection): Readonly<Record<string, string>> {
  return isRegional(collection) ? regional(side) : project(side);
}

/** Returns the parameters of a method on a resource of the run. */
export function at(side: Side, collection: ComputeCollection, word: string): Readonly<Record<string, string>> {
  return { ...placeOf(side, collection), [parameters[collection]]: side.name(word) };
}

/** Returns a link without project, for example `global/urlMaps/cf-urls`. */
export function linkTo(side: Side, collection: ComputeCollection, word: string): string {
  const path = collection.replace(/^(?:region|global)([A-Z])/, (_, letter: string) => letter.toLowerCase());
  return `${isRegional(collection) ? `regions/${region}` : "global"}/${path}/${side.name(word)}`;
}

/** Sends an insertion that may be refused. */
export function tryInsert(side: Side, collection: ComputeCollection, word: string, body: object): Promise<Answer> {
  const sent = { name: side.name(word), ...body };
  return side.call(`compute.${collection}.insert`, placeOf(side, collection), sent);
}

/** Creates a resource and returns its operation. */
export function insert(side: Side, collection: ComputeCollection, word: string, body: object): Promise<Json> {
  const sent = { name: side.name(word), ...body };
  return side.run(`compute.${collection}.insert`, placeOf(side, collection), sent);
}

export function get(side: Side, collection: ComputeCollection, word: string): Promise<Json> {
  return side.make(`compute.${collection}.get`, at(side, collection, word));
}

/** Sends a change of a resource that may be refused. @param verb for example `patch` or `setSslPolicy` */
export function tryChange(
  side: Side,
  collection: ComputeCollection,
  word: string,
  verb: string,
  body?: object,
): Promise<Answer> {
  return side.call(`compute.${collection}.${verb}`, at(side, collection, word), body);
}

/** Changes a resource and returns it afterwards. */
export async function change(
  side: Side,
  collection: ComputeCollection,
  word: string,
  verb: string,
  body: object,
): Promise<Json> {
  const answer = await tryChange(side, collection, word, verb, body);
  if (answer.status >= 300)
    throw new Error(`${verb} of ${word} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { error } = await side.ended(`compute.${collection}.${verb}`, at(side, collection, word), answer.body);
  if (error !== undefined) throw new Error(`${verb} of ${word} ended with ${JSON.stringify(error)}`);
  return get(side, collection, word);
}

/** Creates the URL map `urls` with the backend service `backend`, once for all groups. */
export function sharedUrlMap(side: Side): Promise<void> {
  return side.once("URL map", async () => {
    await insert(side, "backendServices", "backend", { loadBalancingScheme: "EXTERNAL_MANAGED" });
    await insert(side, "urlMaps", "urls", { defaultService: linkTo(side, "backendServices", "backend") });
  });
}

/** Creates the uploaded SSL certificates `cert` and `cert-2`, once for all groups. */
export function sharedSslCertificates(side: Side): Promise<void> {
  return side.once("SSL certificates", async () => {
    for (const word of ["cert", "cert-2"]) {
      const { pemCertificate, pemPrivateKey } = await makeUpload(side, [side.host(word)]);
      const selfManaged = { certificate: pemCertificate, privateKey: pemPrivateKey };
      await insert(side, "sslCertificates", word, { type: "SELF_MANAGED", selfManaged });
    }
  });
}

/** Creates the target HTTPS proxy `proxy` with the SSL certificate `cert`, once for all groups. */
export function sharedProxy(side: Side): Promise<void> {
  return side.once("target HTTPS proxy", async () => {
    await sharedUrlMap(side);
    await sharedSslCertificates(side);
    const sslCertificates = [linkTo(side, "sslCertificates", "cert")];
    await insert(side, "targetHttpsProxies", "proxy", { urlMap: linkTo(side, "urlMaps", "urls"), sslCertificates });
  });
}

/** Creates an empty certificate map, once for all groups. @returns its name in the format of target proxies */
export function sharedCertificateMap(side: Side): Promise<string> {
  return side.once("certificate map of proxies", async () => {
    const parameters = { parent: side.location(), certificateMapId: side.name("proxy-map") };
    await side.run("certificatemanager.projects.locations.certificateMaps.create", parameters, {});
    return `//certificatemanager.googleapis.com/${side.location()}/certificateMaps/${side.name("proxy-map")}`;
  });
}
