import type { HandshakeInput, HandshakeResult, Json, Side } from "../../../side";
import { makeUpload, type Upload } from "../../../uploads";
import { create, createEntry, entryNameOf, nameOf } from "../../certificate-manager/resources";
import { get, insert, linkTo, sharedUrlMap } from "../resources";

/** A global load balancer with a certificate map and SSL certificates. */
export interface FrontEnd {
  /** IP address of the forwarding rule. */
  readonly address: string;
  /** Name of the certificate map. */
  readonly map: string;
}

/** Longest time until a change of a load balancer takes effect. */
const propagatedWithinMs = 20 * 60_000;

/** Returns a hostname of the front end. @param label empty for its domain itself */
export function frontHost(side: Side, label = ""): string {
  return side.host(label === "" ? "front" : `${label}.front`);
}

async function uploadToManager(side: Side, word: string, upload: Upload): Promise<string> {
  return create(side, "certificates", word, { selfManaged: upload });
}

/** Creates a certificate of Certificate Manager. @returns its name */
export async function managerCertificate(
  side: Side,
  word: string,
  names: readonly string[],
  algorithm?: "ecdsa-p256" | "rsa-2048",
): Promise<string> {
  return uploadToManager(side, word, await makeUpload(side, names, algorithm));
}

async function directCertificate(side: Side, word: string, names: readonly string[]): Promise<string> {
  const { pemCertificate: certificate, pemPrivateKey: privateKey } = await makeUpload(side, names);
  await insert(side, "sslCertificates", word, { certificate, privateKey });
  return linkTo(side, "sslCertificates", word);
}

/** Creates the load balancer, once for all groups, and waits until its map is served. */
export function sharedFrontEnd(side: Side): Promise<FrontEnd> {
  return side.once("front end", async () => {
    await sharedUrlMap(side);
    const map = await makeMap(side);
    const sslCertificates = [
      await directCertificate(side, "front-direct-1", [frontHost(side, "direct-1")]),
      await directCertificate(side, "front-direct-2", [frontHost(side, "direct-2"), frontHost(side, "exact")]),
    ];
    const certificateMap = `//certificatemanager.googleapis.com/${map}`;
    const urlMap = linkTo(side, "urlMaps", "urls");
    await insert(side, "targetHttpsProxies", "front", { urlMap, certificateMap, sslCertificates });
    await insert(side, "globalAddresses", "front", {});
    await insert(side, "globalForwardingRules", "front", {
      target: linkTo(side, "targetHttpsProxies", "front"),
      IPAddress: linkTo(side, "globalAddresses", "front"),
      loadBalancingScheme: "EXTERNAL_MANAGED",
      portRange: "443",
    });
    const frontEnd = { address: String((await get(side, "globalAddresses", "front")).address), map };
    await servedNames(side, frontEnd, { servername: frontHost(side, "exact") }, frontHost(side, "exact"));
    return frontEnd;
  });
}

/** Creates a map with an entry for a hostname, for a wildcard, and for hostnames without an entry. */
async function makeMap(side: Side): Promise<string> {
  const exact = frontHost(side, "exact");
  const wildcard = `*.${frontHost(side)}`;
  const map = await create(side, "certificateMaps", "front-map", {});
  const both = [
    await managerCertificate(side, "front-exact-rsa", [exact], "rsa-2048"),
    await managerCertificate(side, "front-exact", [exact]),
  ];
  const others = [await managerCertificate(side, "front-wildcard", [wildcard])];
  const primary = [await managerCertificate(side, "front-primary", [frontHost(side)])];
  await createEntry(side, map, "front-exact", { hostname: exact, certificates: both });
  await createEntry(side, map, "front-wildcard", { hostname: wildcard, certificates: others });
  await createEntry(side, map, "front-primary", { matcher: "PRIMARY", certificates: primary });
  return map;
}

/** Deletes an entry of the map. */
export async function removeEntry(side: Side, { map }: FrontEnd, word: string): Promise<void> {
  const name = entryNameOf(side, map, word);
  await side.run("certificatemanager.projects.locations.certificateMaps.certificateMapEntries.delete", { name });
}

/** Changes one setting of the proxy. @param verb for example `setSslPolicy` */
export async function setOnProxy(side: Side, verb: string, body: object): Promise<Json> {
  const parameters = { project: side.project, targetHttpsProxy: side.name("front") };
  return side.run(`compute.targetHttpsProxies.${verb}`, parameters, body);
}

/** Returns the link of the map in the format of target proxies. */
export function mapLink(side: Side): string {
  return `//certificatemanager.googleapis.com/${nameOf(side, "certificateMaps", "front-map")}`;
}

type Client = Omit<HandshakeInput, "address">;

export function handshake(side: Side, { address }: FrontEnd, client: Client): Promise<HandshakeResult> {
  return side.handshake({ address, ...client });
}

/** Returns the first result that is as wanted, or the last one within the time that a change takes to propagate. */
export async function propagated(
  side: Side,
  frontEnd: FrontEnd,
  client: Client,
  isWanted: (result: HandshakeResult) => boolean,
): Promise<HandshakeResult> {
  const ask = () => handshake(side, frontEnd, client);
  return (await side.eventually(ask, isWanted, { withinMs: propagatedWithinMs })).value;
}

/** Returns the DNS names of the certificate that is served when a change has propagated. @param first its first name */
export async function servedNames(
  side: Side,
  frontEnd: FrontEnd,
  client: Client,
  first: string,
): Promise<readonly string[] | string> {
  const isWanted = (result: HandshakeResult) => !("refused" in result) && result.dnsNames[0] === first;
  return namesOf(await propagated(side, frontEnd, client, isWanted));
}

/** Returns the DNS names of the served certificate, or the code of the refusal. */
export function namesOf(result: HandshakeResult): readonly string[] | string {
  return "refused" in result ? result.refused : result.dnsNames;
}

export function isRefused(result: HandshakeResult): boolean {
  return "refused" in result;
}
