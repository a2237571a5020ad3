import { InputError, ServiceError } from "../../errors";
import { quote } from "../../text/quote";
import type { ApiDescription } from "../api-description";
import { selectsField } from "../field-selector";
import type { ParameterValue } from "../requests";

/** Parameters and body of a call. */
interface Question {
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly body?: unknown;
}

/**
 * Requests page after page. Each answer's `nextPageToken` becomes the `pageToken` of the next request: in the query, or
 * in the body if the method expects it there. Ends after the answer without a token.
 *
 * @throws InputError `pages-unsupported` for a method without page tokens; ServiceError `page-token-repeated`
 */
export async function* followPages<T extends Question>(
  api: ApiDescription,
  methodId: string,
  input: T,
  ask: (input: T) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const place = placeOfToken(api, methodId);
  const seen = new Set<string>();
  let question = withTokenField(input);
  for (;;) {
    const answer = await ask(question);
    yield answer;
    const token = ownOf(answer, "nextPageToken");
    if (typeof token !== "string" || token === "") return;
    if (seen.has(token)) {
      const message = `asking ${quote(methodId)} for pages: the service gave the page token ${quote(token)} twice, so that there would be no end`;
      throw new ServiceError(message, { code: "page-token-repeated", retryable: false });
    }
    seen.add(token);
    question =
      place === "query"
        ? { ...question, parameters: { ...question.parameters, pageToken: token } }
        : { ...question, body: { ...(question.body as object | undefined), pageToken: token } };
  }
}

function placeOfToken(api: ApiDescription, methodId: string): "query" | "body" {
  const { request } = api.method(methodId);
  if (api.parametersOf(methodId).some(({ name }) => name === "pageToken")) return "query";
  const properties = request === undefined ? undefined : api.resolve(request)?.properties;
  if (properties !== undefined && Object.hasOwn(properties, "pageToken")) return "body";
  const message = `${quote(methodId)} has no pages: it takes no 'pageToken'; call it once`;
  throw new InputError("pages-unsupported", message);
}

/**
 * Adds the page token to a selection of fields. Without the token, the listing would end after the first page. A
 * selection that can't be parsed stays unchanged, because the service refuses it.
 */
function withTokenField<T extends Question>(input: T): T {
  const fields = input.parameters?.fields;
  if (typeof fields !== "string" || selectsField(fields, "nextPageToken") !== false) return input;
  return { ...input, parameters: { ...input.parameters, fields: `${fields},nextPageToken` } };
}

function ownOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
