import { type CodeTable, error, warning } from "../../findings/codes";

/** Codes for errors of queries, files and credentials of the audit log. */
export const auditErrors = {
  "base-url-malformed": error(
    "The endpoint of the audit log is not a valid URL",
    "use https://HOST or http://127.0.0.1:PORT",
  ),
  "token-in-clear": error("The access token would be sent over plain HTTP", "use an https:// endpoint"),
  "token-malformed": error(
    "The access token contains characters that are not allowed",
    "give it without spaces and line breaks",
  ),
  "token-missing": error(
    "The access token is missing",
    "set CERT_MIGRATION_ACCESS_TOKEN, or use application default credentials",
  ),
  "credentials-ambiguous": error("Several options name credentials", "give one kind of credentials"),
  "email-malformed": error("A value is not an e-mail address", "use one as in a@example.com"),
  "seconds-invalid": error("A number of seconds is out of range", "use a number within the range of the message"),
  "history-malformed": error(
    "A line of the history is not a verdict of the guard",
    "name a file that 'audit guard' wrote",
  ),
  "filters-too-long": error("The filters are longer than the service accepts", "use fewer or shorter filters"),
  "filter-malformed": error("A filter is not a comparison", "write PARAMETER, an operator and a value"),
  "filter-parameter-malformed": error("A filter names a parameter that is not valid", "use a parameter of the event"),
  "filter-parameter-unknown": error("The event has no such parameter", "use a parameter that 'audit events' lists"),
  "filter-operator-unknown": error("A filter has an unknown operator", "use an operator that the message lists"),
  "filter-value-missing": error("A filter has no value", "write the value after the operator"),
  "filter-value-inexpressible": error(
    "A filter's value contains characters that the service cannot compare",
    "filter the result instead",
  ),
  "max-results-out-of-range": error("The page size is out of range", "use a number within the range of the message"),
  "user-malformed": error("The user is not valid", "use 'all', a profile id or an e-mail address"),
  "application-malformed": error("The application is not valid", "use a name such as 'admin'"),
  "event-malformed": error("The name of an event is not valid", "use a name that 'audit events' lists"),
  "event-uncatalogued": error(
    "The event is not in the catalogue",
    "use a name that 'audit events' lists, or allow other events",
  ),
  "customer-malformed": error("The customer id is not valid", "use 'my_customer', or the id that begins with C"),
  "org-unit-malformed": error("The organizational unit is not valid", "use its id, which begins with id:"),
  "groups-malformed": error("The list of groups is not valid", "use ids that begin with id:, separated by commas"),
  "address-malformed": error("A value is not an IP address", "use one as in 203.0.113.7 or 2001:db8::7"),
  "type-unknown": error("The event type is not in the catalogue", "use a type that the message lists"),
  "time-invalid": error("A time is not valid", "use a date from year 0000 to 9999"),
  "time-malformed": error("A time is not valid", "use RFC 3339, or a time ago as in 24h"),
  "time-future": error("The start is in the future", "use a time in the past"),
  "time-range-empty": error("The start is not before the end", "give a start that is before the end"),
  "time-before-retention": error(
    "The time is before the first event that the service keeps",
    "use a time in the last 180 days",
  ),
  "activity-malformed": error("A record of the log is not an object", "give records with id, actor and events"),
  "log-entry-foreign": error(
    "A Cloud Logging entry is not an event of the audit log",
    "export the log of the Admin console",
  ),
  "elastic-document-foreign": error(
    "An Elastic document is not an event of the audit log",
    "export documents of google_workspace.admin",
  ),
  "csv-foreign": error("The CSV file has other columns than GAM writes", "export the report with GAM again"),
  "csv-row-malformed": error(
    "A row of the CSV file has another number of cells than its header",
    "export the report again",
  ),
  "document-too-long": error("A record is longer than the limit", "remove it, or split the file"),
  "record-log-malformed": error(
    "A line of the log of records is not a record",
    "use a file that the rehearsal cloud wrote",
  ),
  "record-log-unreadable": error("The log of records cannot be read", "check its path and permissions"),
  "cursor-missing": error("--out needs --cursor to avoid duplicate events after a restart", "give --cursor"),
  "cursor-in-use": error("Another process uses the cursor", "stop it, or use another cursor"),
  "cursor-unreadable": error("The cursor cannot be read", "check its path and permissions"),
  "cursor-unwritable": error("The cursor cannot be written", "check its folder, permissions and free space"),
  "cursor-malformed": error(
    "The file is not a cursor of 'audit tail'",
    "name another file, or delete it and give a start time",
  ),
  "cursor-of-another-tail": error("The cursor belongs to another query", "use the same options, or another cursor"),
  "cursor-of-another-output": error("The cursor belongs to another output", "use the same --out, or another cursor"),
  "tail-output-closed": error("The output is not open", "open it before writing"),
  "tail-output-unwritable": error("The output cannot be written", "check its folder, permissions and free space"),
  "tail-output-shorter": error(
    "Lines that were written are missing from the output",
    "restore the file, or use a new output and cursor",
  ),
  "words-unwanted": error("--markdown prints all events and takes no search words", "remove the words"),
  "too-many-pages": error("A listing has more pages than the limit", "use a shorter time range, or allow more pages"),
  "freeze-empty": error("The start of the freeze is not before its end", "change one of them"),
  "freeze-watches-nothing": error("'watch' is empty", "name classes or events, or leave it out"),
  "list-expected": error("A value of the freeze is not a list", "write a list"),
  "mapping-expected": error("A value of the freeze is not a mapping", "write the properties that the message lists"),
  "property-unknown": error("The freeze has an unknown property", "use a property that the message lists"),
  "text-missing": error("A text of the freeze is missing or empty", "add it"),
  "watch-unknown": error("'watch' contains an unknown name", "use a class or an event of the catalogue"),
  "freeze-missing": error("No change freeze is given", "give --freeze with a file"),
  "freeze-malformed": error("The file of the change freeze is not valid", "fix it at the line of the message"),
} as const satisfies CodeTable;

/** Codes for changes that a change freeze does not allow. */
export const violationCodes = {
  "critical-change-during-freeze": error(
    "a setting that the migration or its rollback depends on was changed during the change freeze",
    "have the change undone or approved before the migration continues",
  ),
  "change-during-freeze": warning(
    "a watched setting was changed during the change freeze",
    "have the change undone, or add a rule with its ticket to 'allow'",
  ),
} as const satisfies CodeTable;

/** Codes for reasons why the log does not show whether a change freeze was kept. */
export const evidenceGaps = {
  "listing-incomplete": error("the listing did not reach its last page", "run the command again"),
  "freeze-too-old": error(
    "the freeze began before the first event that the service keeps",
    "check the change log of your organization manually",
  ),
  "data-missing": error("the service reports that data is missing", "run the command again later"),
  "lag-not-over": error("events of the freeze have not arrived in the log yet", "run the command again later"),
  "freeze-not-over": error(
    "the log is complete only up to a time before the end of the freeze",
    "run the command again after the end of the freeze",
  ),
  "record-unreadable": error("records of the log have no readable time or event", "look at these records manually"),
  "event-alike": error("an event is not in the catalogue and resembles a watched event", "look at the event manually"),
  "control-missing": error(
    "the announced change is not in the log",
    "check that events arrive in the log, then run the command again",
  ),
  "no-data": error(
    "the log has no event of the freeze",
    "make an announced change, so that the log shows whether events arrive",
  ),
} as const satisfies CodeTable;

/** Codes for differences between a record and the service's format or the catalogue. */
export const recordFindings = {
  "time-missing": warning("a record has no time", "place the record manually"),
  "time-malformed": warning("the time of a record is not valid", "place the record manually"),
  "time-nonstandard": warning("the time of a record is not in RFC 3339", "check the exporter"),
  "qualifier-missing": warning("a record has no unique qualifier", "export the records with all fields"),
  "events-missing": warning("a record has no events", "export the records with all fields"),
  "events-flattened": warning("an exporter changed the list of events", "export the original records"),
  "events-single": warning("a record has an event instead of a list", "export the original records"),
  "event-malformed": warning("an event is not an object", "export the original records"),
  "event-name-missing": warning("an event has no name", "export the records with all fields"),
  "event-type-missing": warning("an event has no type", "export the records with all fields"),
  "event-type-unknown": warning("the type of an event is not in the catalogue", "update cert-migration"),
  "event-unknown": warning("an event is not in the catalogue", "look at the event manually, or update cert-migration"),
  "number-imprecise": warning("a number lost digits in an exporter", "export numbers as text"),
  "parameters-malformed": warning("the parameters of an event are not a list", "export the original records"),
  "parameters-map": warning("an exporter converted the parameters to an object", "export the original records"),
  "parameter-malformed": warning("a parameter does not have the type of the catalogue", "look at the event manually"),
  "parameter-missing": warning("a parameter of the catalogue is missing", "look at the event manually"),
  "parameter-name-missing": warning("a parameter has no name", "export the original records"),
  "parameter-repeated": warning("a parameter appears twice", "look at the event manually"),
  "parameter-unknown": warning("a parameter is not in the catalogue", "update cert-migration"),
  "parameter-value-unlisted": warning("a value is not in the catalogue", "update cert-migration"),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes
    extends Record<keyof typeof auditErrors, true>,
      Record<keyof typeof violationCodes, true>,
      Record<keyof typeof evidenceGaps, true>,
      Record<keyof typeof recordFindings, true> {}
}
