import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { validateXML } from "xmllint-wasm";

const schemaAt = (name: string) => readFileSync(join(__dirname, "../fixtures/schemas", name), "utf8");

/** Returns the errors of a SARIF log against the schema of OASIS, without the texts of the schema. */
export function sarifErrors(log: unknown): readonly string[] {
  // The schema's formats are addresses; tests of places check these.
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true }).compile(
    JSON.parse(schemaAt("sarif-2.1.0.json")) as object,
  );
  validate(log);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Returns the errors of JUnit XML as libxml2 reports them. */
export async function junitErrors(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: "results.xml", contents: xml }],
    schema: [schemaAt("junit.xsd")],
  });
  return errors.map(({ message }) => message);
}
