import type { Problem } from "../../errors";
import { pointerTo } from "../../json/pointer";
import { quote } from "../../text/quote";

/** Prefix of a text that refers to the contents of a file. */
const FILE = "file:";

/** Properties of `selfManaged` that may name a file. */
const PROPERTIES = ["certificatePem", "privateKeyPem"] as const;

/** Lists of `clientAuthentication` whose texts may name files. */
const LISTS = ["trustAnchors", "intermediates", "allowlisted"] as const;

type Data = Readonly<Record<string, unknown>>;

/**
 * Replaces `file:…` in the self-managed certificates of a document, and in the certificates that validate clients, by
 * the contents of the files. Data that is not a
 * spec is returned unchanged; the schema check reports it.
 *
 * @param readFile returns a file's text or throws. Its error message is reported; the file's contents never are
 */
export function readReferencedFiles(
  data: unknown,
  readFile: ((path: string) => string) | undefined,
  report: (pointer: string, problem: Problem) => void,
): unknown {
  if (!isMapping(data)) return data;
  const withLoadBalancer = isMapping(data.loadBalancer)
    ? { ...data, loadBalancer: readOfProxies(data.loadBalancer, readFile, report) }
    : data;
  return readOfCertificates(withLoadBalancer, readFile, report);
}

type ReadFile = ((path: string) => string) | undefined;
type Report = (pointer: string, problem: Problem) => void;

function readOfCertificates(data: Data, readFile: ReadFile, report: Report): Data {
  if (!Array.isArray(data.certificates)) return data;
  const certificates = data.certificates.map((certificate: unknown, index) => {
    if (!isMapping(certificate) || !isMapping(certificate.selfManaged)) return certificate;
    const selfManaged: Record<string, unknown> = { ...certificate.selfManaged };
    for (const property of PROPERTIES) {
      const text = selfManaged[property];
      if (typeof text !== "string" || !text.startsWith(FILE)) continue;
      const read = readText(text.slice(FILE.length), readFile);
      if ("text" in read) selfManaged[property] = read.text;
      else report(pointerTo(`/certificates/${index}/selfManaged`, property), read.problem);
    }
    return { ...certificate, selfManaged };
  });
  return { ...data, certificates };
}

function readOfProxies(balancer: Data, readFile: ReadFile, report: Report): Data {
  const read = (proxy: unknown, at: string): unknown => {
    if (!isMapping(proxy) || !isMapping(proxy.clientAuthentication)) return proxy;
    const clientAuthentication: Record<string, unknown> = { ...proxy.clientAuthentication };
    for (const list of LISTS) {
      const texts = clientAuthentication[list];
      if (!Array.isArray(texts)) continue;
      clientAuthentication[list] = texts.map((text: unknown, index) => {
        if (typeof text !== "string" || !text.startsWith(FILE)) return text;
        const found = readText(text.slice(FILE.length), readFile);
        if ("text" in found) return found.text;
        report(pointerTo(`${at}/clientAuthentication`, list, index), found.problem);
        return text;
      });
    }
    return { ...proxy, clientAuthentication };
  };
  const { newTargetHttpsProxy, adoptTargetHttpsProxies } = balancer;
  return {
    ...balancer,
    ...(newTargetHttpsProxy === undefined
      ? {}
      : { newTargetHttpsProxy: read(newTargetHttpsProxy, "/loadBalancer/newTargetHttpsProxy") }),
    ...(Array.isArray(adoptTargetHttpsProxies)
      ? {
          adoptTargetHttpsProxies: adoptTargetHttpsProxies.map((proxy: unknown, index) =>
            read(proxy, `/loadBalancer/adoptTargetHttpsProxies/${index}`),
          ),
        }
      : {}),
  };
}

function readText(
  path: string,
  readFile: ((path: string) => string) | undefined,
): { readonly text: string } | { readonly problem: Problem } {
  const problem = (why: string): { readonly problem: Problem } => ({
    problem: {
      code: "document-file-unreadable",
      message: `the file ${quote(path)} can't be read (${why}): use a path relative to the folder of the document, or the PEM text itself`,
    },
  });
  if (readFile === undefined) return problem("files are not read here");
  try {
    return { text: readFile(path) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return problem(typeof code === "string" ? code : error instanceof Error ? quote(error.message) : "unknown reason");
  }
}

function isMapping(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
