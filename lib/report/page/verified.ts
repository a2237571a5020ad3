import { groupBy } from "../../json/group-by";
import { latestPairs, sortByTime } from "../hostname-states";
import { type Html, html } from "../html";
import type { Verification, VerifiedPair } from "../model";
import { formatNumber, partOf } from "../words";
import { type Section, table, timeElement } from "./elements";
import { framed, plotLegend, type Series } from "./plot";

/** The most rows of a table of what is served. A file could contain thousands of issuers, addresses and codes. */
const mostLines = 50;

export function verifiedSection(verifications: readonly Verification[]): Section | undefined {
  const pairs = latestPairs(verifications);
  if (pairs.length === 0) return undefined;
  const good = pairs.filter(({ ok }) => ok);
  return {
    id: "verified",
    short: "Served",
    heading: "Served at the load balancer",
    body: html`<p>${partOf(good.length, pairs.length, "pair")} of hostname and address ${good.length === 1 ? "is" : "are"} served as they should be.</p>
${verifications.length > 1 ? overTime(verifications) : undefined}
${lines(
  "by-address",
  "By address",
  ["address", "good", "failed"],
  tally(pairs, ({ address }) => address, goodAndFailed),
)}
${
  good.length === pairs.length
    ? undefined
    : lines(
        "by-code",
        "Failures by code",
        ["code", "pairs"],
        tally(
          pairs.filter(({ ok }) => !ok),
          ({ failure }) => failure?.code ?? "not-served",
          (of) => [formatNumber(of.length)],
        ),
      )
}
${lines(
  "by-issuer",
  "Certificates by issuer",
  ["issuer", "good pairs", "first to expire"],
  tally(good.filter(hasCertificate), ({ certificate }) => certificate.issuer, issued),
)}
${lines(
  "by-protocol",
  "By protocol",
  ["protocol", "good pairs"],
  tally(
    good,
    ({ protocol = "unknown" }) => protocol,
    (of) => [formatNumber(of.length)],
  ),
)}`,
  };
}

type Certified = VerifiedPair & { readonly certificate: NonNullable<VerifiedPair["certificate"]> };

function hasCertificate<Pair extends VerifiedPair>(pair: Pair): pair is Pair & Certified {
  return pair.certificate !== undefined;
}

function goodAndFailed(pairs: readonly VerifiedPair[]): readonly string[] {
  const good = pairs.filter(({ ok }) => ok).length;
  return [formatNumber(good), formatNumber(pairs.length - good)];
}

function issued(pairs: readonly Certified[]): readonly (string | Html)[] {
  const first = pairs.reduce((least, { certificate }) => Math.min(least, certificate.notAfter.getTime()), Infinity);
  return [formatNumber(pairs.length), timeElement(new Date(first))];
}

type Line = readonly (string | Html)[];

/** Returns one row for each group, the largest first. */
function tally<Pair>(
  pairs: readonly Pair[],
  nameOf: (pair: Pair) => string,
  describe: (pairs: readonly Pair[]) => Line,
): readonly Line[] {
  return [...groupBy(pairs, nameOf)]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([name, of]) => [name, ...describe(of)]);
}

function lines(id: string, name: string, head: readonly string[], rows: readonly Line[]): Html | undefined {
  if (rows.length === 0) return undefined;
  const caption = rows.length > mostLines ? `${name}: ${mostLines} of ${formatNumber(rows.length)}` : name;
  return table({ id, caption, head, rows: rows.slice(0, mostLines) });
}

function overTime(verifications: readonly Verification[]): Html {
  const runs = sortByTime(verifications).slice(-mostLines);
  const spans = runs.map((_, index) => ({ from: index, to: index + 0.8 }));
  const count = (isGood: boolean) => runs.map(({ results }) => results.filter(({ ok }) => ok === isGood).length);
  const series: readonly Series[] = [
    { name: "failed", look: "failed", values: count(false) },
    { name: "good", look: "good", values: count(true) },
  ];
  return html`<figure>
<figcaption id="verified-plot">Pairs of hostname and address by run of verify</figcaption>
${plotLegend(series)}
${framed({ labelledBy: "verified-plot", spans, series, scale: "count", names: runs.map(({ time: at }) => at) })}
${table({
  id: "verified-numbers",
  caption: "The same as a table",
  head: ["time", "good", "failed"],
  rows: runs.map(({ time: at, results }) => [timeElement(at), ...goodAndFailed(results)]),
})}
</figure>`;
}
