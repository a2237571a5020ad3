import { type Data, isData, own } from "../values";
import { isLogEntry, recordOfLogEntry } from "./cloud-logging";
import { isElasticDocument, recordOfElasticDocument } from "./elastic";

export { type GamRow, readCsv, readGamHeader } from "./csv";
export { elasticFieldOf } from "./elastic";

/**
 * Returns the records of a JSON value: a record, a list, a page of the service or of Cloud Logging, or a search result
 * of Elasticsearch.
 */
export function recordsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isData(value)) return [value];
  for (const list of [own(value, "items"), entriesOf(value), hitsOf(value)]) if (Array.isArray(list)) return list;
  return /activities$/i.test(String(own(value, "kind"))) && own(value, "id") === undefined ? [] : [value];
}

/**
 * Returns a record of any source as the Reports API writes it. A value that is neither a Cloud Logging entry nor an
 * Elastic document stays unchanged.
 *
 * @throws InputError `log-entry-foreign`, `elastic-document-foreign`
 */
export function serviceRecord(value: unknown): unknown {
  if (!isData(value)) return value;
  if (isLogEntry(value)) return recordOfLogEntry(value);
  return isElasticDocument(value) ? recordOfElasticDocument(value) : value;
}

/** Returns the entries of a page. An event can have parameters of any name, but only a page has `entries`. */
function entriesOf(value: Data): unknown {
  return own(value, "events") === undefined && own(value, "name") === undefined ? own(value, "entries") : undefined;
}

function hitsOf(value: Data): unknown {
  const hits = own(value, "hits");
  return isData(hits) ? own(hits, "hits") : undefined;
}
