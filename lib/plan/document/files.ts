import type { Problem } from "../../errors";
import { defined } from "../../json/defined";
import { isFields } from "../../json/fields";
import { quote } from "../../text/quote";
import type { DocumentProblem } from "./problem";

/** Prefix of a text that refers to the contents of a file. */
const FILE = "file:";

/** Lists of `clientAuthentication` whose texts may name files. */
const LISTS = ["trustAnchors", "intermediates", "allowlisted"] as const;

type FileProblem = Problem & Pick<DocumentProblem, "certificateWithoutKey">;

/**
 * Replaces `file:…` in self-managed certificates and in `clientAuthentication` by the contents of the files.
 * Data that is not a spec is returned unchanged; the schema check reports it.
 *
 * @param readFile returns a file's text or throws. Its error message is reported; the file's contents never are
 */
export function readReferencedFiles(
  data: unknown,
  readFile: ((path: string) => string) | undefined,
  report: (pointer: string, problem: FileProblem) => void,
): unknown {
  const read = (text: unknown, at: string, certificateWithoutKey?: number): unknown => {
    if (typeof text !== "string" || !text.startsWith(FILE)) return text;
    const path = text.slice(FILE.length);
    try {
      if (readFile !== undefined) return readFile(path);
      report(at, unreadable(path, "files are not read here", certificateWithoutKey));
    } catch (error) {
      report(at, unreadable(path, reasonOf(error), certificateWithoutKey));
    }
    return text;
  };
  const readProperties = (upload: unknown, at: string, index: number) => {
    const withPem = replaceValue(upload, "certificatePem", (text) => read(text, `${at}/certificatePem`));
    return replaceValue(withPem, "privateKeyPem", (text) => read(text, `${at}/privateKeyPem`, index));
  };
  const readUpload = (certificate: unknown, index: number) => {
    const at = `/certificates/${index}`;
    const upload = readProperties(certificate, at, index);
    // Earlier releases had the properties in a mapping of their own.
    return replaceValue(upload, "selfManaged", (former) => readProperties(former, `${at}/selfManaged`, index));
  };
  const readClients = (proxy: unknown, at: string) =>
    replaceValue(proxy, "clientAuthentication", (lists) =>
      LISTS.reduce((fields, name) => {
        return replaceItems(fields, name, (text, index) => read(text, `${at}/clientAuthentication/${name}/${index}`));
      }, lists),
    );
  return replaceValue(replaceItems(data, "certificates", readUpload), "loadBalancer", (balancer) => {
    const at = "/loadBalancer/newTargetHttpsProxy";
    const withNewProxy = replaceValue(balancer, "newTargetHttpsProxy", (proxy) => readClients(proxy, at));
    return replaceItems(withNewProxy, "adoptTargetHttpsProxies", (proxy, index) =>
      readClients(proxy, `/loadBalancer/adoptTargetHttpsProxies/${index}`),
    );
  });
}

/** Returns a mapping with one of its values replaced, and other data unchanged. */
function replaceValue(data: unknown, key: string, replace: (value: unknown) => unknown): unknown {
  return isFields(data) && data[key] !== undefined ? { ...data, [key]: replace(data[key]) } : data;
}

/** Returns a mapping with the items of one of its lists replaced, and other data unchanged. */
function replaceItems(data: unknown, key: string, replace: (item: unknown, index: number) => unknown): unknown {
  return replaceValue(data, key, (list) => (Array.isArray(list) ? list.map(replace) : list));
}

function unreadable(path: string, reason: string, certificateWithoutKey: number | undefined): FileProblem {
  const isKey = certificateWithoutKey !== undefined;
  const other = isKey ? "'privateKeyVariable' in place of the key" : "the PEM text itself";
  const advice = `use a path relative to the folder of the document, or ${other}`;
  return {
    code: "document-file-unreadable",
    message: `the file ${quote(path)} can't be read (${reason}): ${advice}`,
    ...defined({ certificateWithoutKey }),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  return "code" in error && typeof error.code === "string" ? error.code : quote(error.message);
}
