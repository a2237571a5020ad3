import { InputError, ServiceError } from "../../errors";
import { fieldsOf } from "../../json/fields";
import { quote } from "../../text/quote";
import type { ApiDescription } from "../api-description";
import { selectsField } from "../field-selector";
import { ownOf } from "../own-of";
import type { RequestInput } from "../requests";

/** Parameters and body of a call. */
type CallInput = Pick<RequestInput, "parameters" | "body">;

/** Where an API takes and gives page tokens. */
interface TokenPlaces {
  /** Parameter of the query, or field of the body, for the token of the wanted page. */
  readonly request: { readonly place: "query" | "body"; readonly name: string };
  /** Field of the answer with the token of the next page. */
  readonly answer: string;
}

/** Requests page after page: the token in each answer becomes the token of the next request, in its query or body. */
export async function* followPages(
  api: ApiDescription,
  methodId: string,
  input: CallInput,
  ask: (input: CallInput) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const places = placesOfToken(api, methodId);
  const { place, name } = places.request;
  const seen = new Set<string>();
  let question = withTokenField(input, places.answer);
  for (;;) {
    const answer = await ask(question);
    yield answer;
    const token = ownOf(fieldsOf(answer), places.answer);
    if (typeof token !== "string" || token === "") return;
    if (seen.has(token)) {
      const message = `asking ${quote(methodId)} for pages: the service gave the page token ${quote(token)} twice, so that there would be no end`;
      throw new ServiceError(message, { code: "page-token-repeated", retryable: false });
    }
    seen.add(token);
    question =
      place === "query"
        ? { ...question, parameters: { ...question.parameters, [name]: token } }
        : { ...question, body: { ...(question.body as object | undefined), [name]: token } };
  }
}

/** Names of the token in requests. Identity Toolkit takes `nextPageToken`. */
const requestNames = ["pageToken", "nextPageToken"] as const;
/** Names of the token in answers. BigQuery gives `pageToken`. */
const answerNames = ["nextPageToken", "pageToken"] as const;

function placesOfToken(api: ApiDescription, methodId: string): TokenPlaces {
  const { request, response } = api.method(methodId);
  const parameters = new Set(api.parametersOf(methodId).map(({ name }) => name));
  const asked = request === undefined ? undefined : api.resolve(request)?.properties;
  const given = response === undefined ? undefined : api.resolve(response)?.properties;
  const answer = answerNames.find((name) => ownOf(given, name) !== undefined) ?? "nextPageToken";
  const inQuery = requestNames.find((name) => parameters.has(name));
  if (inQuery !== undefined) return { request: { place: "query", name: inQuery }, answer };
  const inBody = requestNames.find((name) => ownOf(asked, name) !== undefined);
  if (inBody !== undefined) return { request: { place: "body", name: inBody }, answer };
  const message = `${quote(methodId)} has no pages: it takes no 'pageToken'; call it once`;
  throw new InputError("pages-unsupported", message);
}

/** Adds the page token to a selection of fields, because the listing would otherwise end after the first page. */
function withTokenField(input: CallInput, name: string): CallInput {
  const fields = input.parameters?.fields;
  if (typeof fields !== "string" || selectsField(fields, name) !== false) return input;
  return { ...input, parameters: { ...input.parameters, fields: `${fields},${name}` } };
}
