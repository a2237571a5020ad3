import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type ReportData, renderReport, titleOf } from "../../../lib/report";
import { anyText } from "../../support/any-text";
import { fullReport, t0 } from "../../support/report-data";

const empty: ReportData = { title: "t", generatedAt: new Date(t0) };

/** Returns the tags with their attributes: everything that a browser treats as markup. */
function tagsOf(page: string): string {
  return (page.match(/<[^>]*>/g) ?? []).join("\n");
}

/** Replaces fragments and their references, which contain hostnames if these have only safe characters. */
function withoutFragments(tags: string): string {
  return tags.replace(/ (id|href|aria-labelledby)="[\w.*# -]*"/g, ' $1=""');
}

/** Decodes the character references in the text of an element or attribute. */
function unescaped(text: string): string {
  return text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" })[name as string] ?? "",
  );
}

describe("foreign texts", () => {
  test("leave tags and attributes of the page unchanged", () => {
    const plain = withoutFragments(tagsOf(renderReport(fullReport(12, (usual) => `plain ${usual}`))));
    const hostile = fc.oneof(
      anyText(),
      fc.constantFrom(
        "<script>alert(1)</script>",
        '" onload="alert(1)',
        "' autofocus x='",
        "</title><img src=x>",
        "-->",
        "]]>",
        "</style>",
        "&lt;b&gt;",
        "\u202e<b>\u2028",
        "\ud800",
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, (before, after) => {
        // Without additions, a code is a known code, for which the page adds an explanation.
        fc.pre(before !== "" || after !== "");
        const page = renderReport(fullReport(12, (usual) => `${before}${usual}${after}`));
        expect(withoutFragments(tagsOf(page))).toBe(plain);
      }),
      { numRuns: 60 },
    );
  });

  test("are shown unchanged, with hiding and direction-changing characters as numbers", () => {
    const page = renderReport({ ...empty, title: `<b>"it's" & \u202eco.elpmaxe` });
    const heading = /<h1>(.*?)<\/h1>/.exec(page)?.[1] ?? "";
    expect(unescaped(heading)).toBe(`<b>"it's" & \\u{202e}co.elpmaxe`);
  });

  test("are truncated if extremely long, and their length is shown", () => {
    const page = renderReport({ ...empty, title: "x".repeat(100_000) });
    expect(page).toContain(`${"x".repeat(2_000)}… (100000 characters)`);
    expect(page.length).toBeLessThan(40_000);
  });
});

describe("the page is self-contained", () => {
  const page = renderReport(fullReport(20));
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";

  test("and its policy allows only its own style and its own script", () => {
    const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const [style, script] = ["style", "script"].map((name) => page.split(`<${name}>`)[1]?.split(`</${name}>`)[0]);
    expect(unescaped(policy).split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${hashOf(style ?? "")}`,
      `script-src ${hashOf(script ?? "")}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test("and loads nothing, and has no style or handler in an element", () => {
    expect(page).not.toMatch(/\bhttps?:|\burl\(|@import|\ssrc=/);
    expect(tagsOf(page)).not.toMatch(/\sstyle=|\son[a-z]+=/);
    expect(tagsOf(page).match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });

  test("and no file in it can close its element", () => {
    const folder = join(__dirname, "../../../lib/report/page/assets");
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/<\/|<!--/);
    }
  });

  test("and has every ID once, with an element for each referenced ID", () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...page.matchAll(/(?:aria-labelledby|for|data-chart)="([^"]*)"|href="#([^"]*)"/g)].flatMap(
      ([, ids, target]) => (ids ?? target ?? "").split(" "),
    );
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("and is the same for the same data", () => {
    expect(renderReport(fullReport(20))).toBe(page);
  });
});

test("the page shows the days after the cut-over: a lane for each certificate and alert, and every event with its day", () => {
  const text = renderReport(fullReport(4));
  const sectionOf = (id: string) =>
    new RegExp(`<section[^>]*aria-labelledby="${id}">([\\s\\S]*?)</section>`).exec(text)?.[1] ?? "";
  const summary = sectionOf("days");
  expect(summary).toContain("100 days after the cut-over");
  expect(summary).toContain("88 of 1,781 handshakes failed, the first on day 91.");
  expect(summary).toContain("Failure from day 0: cname-deleted. It was not repaired.");
  const section = sectionOf("days-course");
  expect([...section.matchAll(/<p id="days-lane-\d+">([^<]*)<\/p>/g)].map(([, name]) => name)).toEqual([
    "pay",
    "up",
    "shop",
    "Certificate of shop.example.com",
    "Certificates have expired",
  ]);
  expect(section.match(/<tr role="row"><th role="rowheader"/g)).toHaveLength(5);
  expect(section).toContain("alert, until day 91");
  expect(section).toContain("alert, open at the end");
  expect([...section.matchAll(/<title>([^<]*)<\/title>/g)].map(([, tip]) => tip)).toEqual([
    "day 61: pay: renewed",
    "day 80: up: replaced by its owner",
    "day 91: shop: EXPIRED",
    "day 66: Certificate of shop.example.com: alert, until day 91",
    "day 91: Certificates have expired: alert, open at the end",
  ]);
});

test("the page shows each step and scenario in a tip, also if its bar has no room for its label", () => {
  const { rehearsal } = fullReport(4);
  const { timeline } = rehearsal?.result ?? {};
  if (rehearsal === undefined || timeline === undefined) throw new Error("a full report has a rehearsal");
  const parts = (timeline.parts ?? []).map((part) => ({ ...part, until: part.from }));
  const at = { from: parts[0]?.from ?? "", until: parts[0]?.from ?? "" };
  const steps = rehearsal.result.steps.slice(2, 3).map((step) => ({ ...step, ...at }));
  const result = { ...rehearsal.result, steps, timeline: { ...timeline, parts } };
  const page = renderReport({ ...empty, rehearsal: { ...rehearsal, result } });
  const bars = [...page.matchAll(/<rect class="step"[^>]*><title>([^<]*)<\/title><\/rect>(<text)?/g)];
  expect(bars.filter(([, , label]) => label === undefined)).not.toEqual([]);
  const tips = bars.map(([, tip]) => tip);
  const names = [...steps.map(({ number, name }) => `${number} ${name}`), ...parts.map(({ name }) => name)];
  for (const name of names) expect(tips).toContainEqual(expect.stringContaining(name));
});

test("the page shows all inputs, in their sections", () => {
  const page = renderReport(fullReport(20));
  const headings = [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "Timeline",
    "What remains",
    "Findings",
    "Hostnames by step",
    "Served at the load balancer",
    "Traffic",
    "What was rehearsed",
    "Certificates before and after",
    "What happened",
    "100 days after the cut-over",
    "What this rehearsal does not show",
    "Renewals and alerts after the cut-over",
    "Each hostname over time",
    "Failed handshakes",
    "Sources",
  ]);
  expect(page).toContain("status: status-0.json, of");
  expect(page).toContain("<br>note on watch.jsonl");
  expect(page).toContain('Generated at <time datetime="2026-11-21T10:00:00.000Z">2026-11-21 10:00:00 UTC</time>');
});

test("the page shows that inputs are missing", () => {
  const page = renderReport(empty);
  expect(page).toContain("Nothing is known yet: no input contains a hostname.");
  expect(page).toContain("Not given: status, verify, watch, doctor, rehearse.");
  expect(page).not.toContain('id="matrix"');
});

test("the page shows a report on a rehearsal alone", () => {
  const { rehearsal } = fullReport(0);
  const page = renderReport({ ...empty, ...(rehearsal === undefined ? {} : { rehearsal }) });
  expect(page).toContain("Needs a fix: 1 of 3,200 handshakes failed in the rehearsal.");
  expect(page).toContain('data-label="result">X failed</td>');
  const headings = [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
  expect(headings[0]).toBe("What was rehearsed");
});

test("the page shows findings of a failed rehearsal before its failures, of which the first ten are expanded", () => {
  const { rehearsal } = fullReport(3);
  const [failure] = rehearsal?.result.failures ?? [];
  if (rehearsal === undefined || failure === undefined) throw new Error("a full report has a failure");
  const pageOf = (count: number) => {
    const failures = Array.from({ length: count }, () => failure);
    const result = { ...rehearsal.result, failures, failedHandshakes: 300 };
    return renderReport({ ...empty, rehearsal: { ...rehearsal, result } });
  };
  const page = pageOf(150);
  const ids = [...page.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
  expect(ids.slice(ids.indexOf("limits"))).toEqual([
    ...["limits", "findings", "days-course", "rehearsed-hostnames", "rehearsal-failed", "sources"],
  ]);
  const [, section = ""] = page.split('<h2 id="rehearsal-failed">');
  const [shown = "", more = ""] = section.split("<details><summary>90 more failed handshakes</summary>");
  const countRows = (text: string) => text.split("</section>")[0]?.match(/scope="row"/g)?.length;
  expect([countRows(shown), countRows(more)]).toEqual([10, 90]);
  expect(pageOf(10)).not.toContain("more failed handshake");
});

test("the page shows what was rehearsed: migration, project, input with digest, versions, faults, addresses and evidence", () => {
  const { rehearsal } = fullReport(3);
  const page = renderReport({ ...empty, ...(rehearsal === undefined ? {} : { rehearsal }) });
  const facts = Object.fromEntries(
    [...page.matchAll(/<div><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/g)].map(([, name = "", value = ""]) => [
      name,
      unescaped(value.replace(/<[^>]*>/g, "")),
    ]),
  );
  expect(facts).toMatchObject({
    Migration: "shop, 1 certificate",
    Project: "shop-prod",
    Hostnames: "3: host-0.example.com, host-1.example.com, host-2.example.com",
    Addresses: "previous provider 198.51.100.1; load balancer 203.0.113.7",
    Input: "spec migration.yaml",
    "SHA-256 of the input": "c".repeat(64),
    Versions:
      "cdktf-google-cert-migration 0.1.0, terraform 1.11.4, cdktf 0.21.0, @cdktf/provider-google 16.12.0, Node.js 22.0.0",
    "Google provider": "a stand-in with the schema of hashicorp/google 6.50.0; the real provider was not used",
    Faults: `killed-at-entry (SHA-256 ${"d".repeat(64)}), took effect 3 times, seed 7`,
    Terraform: "killed 1 time, 1 resource imported",
    Evidence: `./evidence, SHA-256 of its manifest ${"e".repeat(64)}`,
  });
  expect(page).toContain(`npx cert-migration rehearse --check-evidence ./evidence --manifest ${"e".repeat(64)}`);
});

test("the page shows a wildcard with the hostname that was rehearsed for it", () => {
  const { rehearsal } = fullReport(3);
  const { rehearsed } = rehearsal?.result ?? {};
  if (rehearsal === undefined || rehearsed === undefined) throw new Error("the report has no rehearsal");
  const hostnames = ["covered-by-wildcard.example.com", "example.com"];
  const result = { ...rehearsal.result, rehearsed: { ...rehearsed, hostnames } };
  const page = renderReport({ ...empty, rehearsal: { ...rehearsal, result } });
  expect(page).toContain("<dd>2: *.example.com (as covered-by-wildcard.example.com), example.com</dd>");
});

test("the page shows an internationalized hostname in Unicode beside its A-labels", () => {
  const hostname = "xn--bcher-kva.example.com";
  const { statuses = [], watches = [] } = fullReport(1, (usual) => usual.replace(/^host-0\.example\.com$/, hostname));
  const page = renderReport({ ...empty, statuses, watches });
  const shown = "bücher.example.com (xn--bcher-kva.example.com)";
  expect(page).toContain(`<a href="#hostname-${hostname}">${shown}</a>`);
  expect(page).toContain(`href="#watch-1-${hostname}">${shown}</a>`);
  expect(page).toContain(`scope="row">${shown}</th>`);
});

test("the page shows certificates before and after, by issuer, key type and expiry", () => {
  const { rehearsal } = fullReport(3);
  const page = renderReport({ ...empty, ...(rehearsal === undefined ? {} : { rehearsal }) });
  const [, section = ""] = page.split('<h2 id="certificates">');
  const rows = [...section.matchAll(/<tr role="row"><th role="rowheader".*?<\/tr>/g)].slice(0, 2);
  expect(rows.map(([row]) => row.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"))).toEqual([
    "|before|CN=Old CA|ecdsa-p256|2026-12-12|1|host-0.example.com, host-1.example.com, host-2.example.com|",
    "|after|CN=WR3, O=Google Trust Services|rsa-2048|2027-02-19|1|host-0.example.com, host-1.example.com, host-2.example.com|",
  ]);
});

test("the page shows a rehearsal of an earlier version, without hostnames and times", () => {
  const { rehearsal } = fullReport(3);
  const { rehearsed: _, timeline: __, ...result } = rehearsal?.result ?? {};
  const page = renderReport({ ...empty, rehearsal: { source: "old.json", result } as NonNullable<typeof rehearsal> });
  expect(page).toContain('<h2 id="happened">');
  expect(page).not.toContain('<h2 id="subject">');
  expect(page).not.toContain('<h2 id="course">');
});

test("the page shows a rehearsal that was stopped, and its last step", () => {
  const { rehearsal } = fullReport(0);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const { rotation: _, rollback: __, ...result } = rehearsal.result;
  const steps = result.steps.slice(0, 1).map((step) => ({ ...step, ok: false, stopped: true }));
  const stopped = { ...result, ok: false, stopped: true, steps, acts: [], failures: [], failedHandshakes: 0 };
  const page = renderReport({ ...empty, rehearsal: { ...rehearsal, result: stopped } });
  expect(page).toContain("<li>The rehearsal was stopped before its end.</li>");
  expect(page).toContain('data-label="result">/ stopped</td>');
  expect(page).not.toContain("FAILED");
});

test("the page shows the parts of a rehearsal in rows that add up to the total", () => {
  const { rehearsal } = fullReport(0);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const part = { numbers: [1, 2], name: "", state: "done" as const, seconds: 8, handshakes: 1_500, failed: 0 };
  const rotation = { ...part, numbers: [], name: "rotation: a domain", state: "failed" as const, failed: 1 };
  const result = { ...rehearsal.result, parts: [part, rotation] };
  const page = renderReport({ ...empty, rehearsal: { ...rehearsal, result } });
  const [, section = ""] = page.split('<caption id="rehearsal-parts">');
  const rows = [...(section.split("</table>")[0] ?? "").matchAll(/<tr role="row"><th role="rowheader".*?<\/tr>/g)];
  const texts = rows.map(([row]) => row.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"));
  expect([...texts.slice(0, 3), ...texts.slice(-2)]).toEqual([
    "|1, 2: rehearsed step 1; rehearsed step 2|+ done|8.0|1,500|0|",
    "|rotation: a domain|X failed|8.0|1,500|1|",
    "|3: certificate active|. not reached|-|-|-|",
    "|preparation, time between the parts, destroy: nothing left behind|+ done|284.0|200|0|",
    "|total|300.0|3,200|1|",
  ]);
});

test.each([
  [true, "<li>Clients without a certificate: all 40 handshakes had to be refused, and were refused.</li>"],
  [false, "<li>Clients without a certificate: 0 of 40 handshakes failed.</li>"],
])("the page shows what clients with and without a certificate got (refused: %s)", (refusesOthers, text) => {
  const { rehearsal } = fullReport(0);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const clients = {
    refusesOthers,
    withCertificate: { probes: 41, failed: 0 },
    withoutCertificate: { probes: 40, failed: 0, refused: refusesOthers ? 40 : 0 },
  };
  const page = (result: object) =>
    renderReport({ ...empty, rehearsal: { ...rehearsal, result: { ...rehearsal.result, ...result } } });
  expect(page({ clients })).toContain("<li>Clients with a certificate: 0 of 41 handshakes failed.</li>");
  expect(page({ clients })).toContain(text);
  expect(page({})).not.toContain("Clients with a certificate");
});

test.each([
  [1, "<li>1 handshake timed out while the rehearsal's own process did not run"],
  [2_000, "<li>2,000 handshakes timed out while the rehearsal's own process did not run"],
])("the page shows a rehearsal that discarded %i attempts", (discarded, text) => {
  const { rehearsal } = fullReport(0);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const page = (result: object) =>
    renderReport({ ...empty, rehearsal: { ...rehearsal, result: { ...rehearsal.result, ...result } } });
  expect(page({ discarded })).toContain(text.replaceAll("'", "&#39;"));
  expect(page({ discarded: 0 })).not.toContain("did not run");
  expect(page({})).not.toContain("did not run");
});

test("the page shows a file with thousands of statuses as one source", () => {
  const [status] = fullReport(1).statuses ?? [];
  const statuses = Array.from({ length: 3_000 }, (_, index) => ({ ...status!, time: new Date(t0 + index * 1_000) }));
  const page = renderReport({ ...empty, statuses });
  expect(page.match(/<li>status: .*?<\/li>/g)).toHaveLength(1);
  expect(page).toContain("status: status-0.json, 3,000 statuses from <time");
});

test("the page shows several watches, each with its plots", () => {
  const { watches = [] } = fullReport(1);
  const page = renderReport({ ...empty, watches: [...watches, ...watches] });
  expect(page).toContain('<a href="#watch-2">Traffic 2</a>');
  expect(page.match(/<figure>/g)).toHaveLength(6);
});

describe("an input that is not given", () => {
  const full = fullReport(5);
  const sectionsOf = (page: string) => [...page.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
  const figuresOf = (page: string) =>
    [...(page.split("</header>")[0] ?? "").matchAll(/<div><dt>(.*?)<\/dt><dd>/g)].map(([, name]) => name);
  const only = (part: Partial<ReportData>) => renderReport({ ...empty, ...part });
  const { statuses = [], verifications = [], watches = [] } = full;
  const { doctor, rehearsal } = full as Required<ReportData>;
  const withoutHostnames = statuses.map((status) => ({ ...status, hostnames: [] }));

  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      "watch",
      only({ watches }),
      ["course", "findings", "watch-1", "sources"],
      ["hostnames", "watched connections failed"],
    ],
    ["verify", only({ verifications }), ["findings", "verified", "sources"], ["hostnames"]],
    [
      "verify and watch",
      only({ verifications, watches }),
      ["course", "findings", "verified", "watch-1", "sources"],
      ["hostnames", "watched connections failed"],
    ],
    [
      "a status without hostnames and watch",
      only({ statuses: withoutHostnames, watches }),
      ["course", "findings", "watch-1", "sources"],
      ["hostnames", "watched connections failed"],
    ],
    ["doctor", only({ doctor }), ["findings", "sources"], []],
    [
      "status",
      only({ statuses }),
      ["course", "remaining", "findings", "hostnames", "sources"],
      ["hostnames", "through all steps"],
    ],
  ])("has no section and no figure in a report of %s", (_, page, sections, figures) => {
    expect(sectionsOf(page)).toEqual(sections);
    expect(figuresOf(page)).toEqual([...figures, "errors found"]);
  });

  test("has no section in a report of a rehearsal", () => {
    const page = only({ rehearsal });
    for (const id of ["remaining", "hostnames"]) expect(sectionsOf(page)).not.toContain(id);
    expect(figuresOf(page)).toEqual(["rehearsed handshakes failed", "errors found"]);
  });
});

describe("status", () => {
  const page = renderReport(fullReport(120));

  test("lists each cause of remaining work once, with one hostname, and a link to the matrix", () => {
    const [, section = ""] = page.split('<h2 id="remaining">');
    const causes = [...(section.split("</section>")[0] ?? "").matchAll(/<dt>(.*?)<\/dt>/g)].map(([, text]) => text);
    expect(causes.length).toBeGreaterThan(1);
    expect(causes.filter((text) => / hostnames, for example host-\d+\.example\.com$/.test(text ?? ""))).not.toEqual([]);
    expect(new Set(causes).size).toBe(causes.length);
  });

  test("lists findings of one kind as one item, with common parts once", () => {
    const { doctor, ...data } = fullReport(1);
    const [finding] = doctor?.findings ?? [];
    if (doctor === undefined || finding === undefined) throw new Error("a full report has findings of doctor");
    const several = ["one", "two", "three", "four"].map((message) => ({ ...finding, message }));
    const [, section = ""] = renderReport({
      title: data.title,
      generatedAt: data.generatedAt,
      doctor: { ...doctor, findings: several },
    }).split('<h2 id="findings">');
    expect(section).toContain("<code>caa-forbids</code>: 4 findings");
    expect(section.match(/Remedy: add a CAA record/g)).toHaveLength(1);
    expect(section).toContain("<summary>1 more finding</summary>");
  });
});

describe("titles", () => {
  test("name migrations, project and addresses", () => {
    const { rehearsal, ...data } = fullReport(2);
    expect(titleOf(rehearsal === undefined ? {} : { rehearsal })).toBe(
      "Rehearsal of shop in shop-prod: 198.51.100.1 to 203.0.113.7",
    );
    expect(titleOf(data)).toBe("Certificate migration of prod/shop, prod/pay at 203.0.113.7");
    expect(titleOf({})).toBe("Certificate migration");
    const [watch] = data.watches ?? [];
    const migrations = [{ name: "shop", project: "p1" }];
    expect(watch).toBeDefined();
    const watches = watch === undefined ? [] : [{ ...watch, migrations, loadBalancerAddresses: ["203.0.113.9"] }];
    expect(titleOf({ watches })).toBe("Certificate migration of shop in p1 at 203.0.113.9");
  });
});

describe("size", () => {
  const page = renderReport(fullReport(2_000));

  test("2,000 hostnames need about 700 bytes each in the matrix, and 1,300 in the chart", () => {
    expect(page.length).toBeLessThan(2_000 * (800 + 1_400));
  });

  test("plots and lists do not grow with the hostnames", () => {
    const withoutMatrix = (text: string) =>
      text
        .replace(/<table id="matrix"[\s\S]*?<\/table>|<details class="group"[\s\S]*?<\/details>\n(?!<)/g, "")
        .replace(/<div class="row"[^>]*>.*\n/g, "").length;
    const small = withoutMatrix(renderReport(fullReport(200)));
    // Each group of 50 hostnames has a bar.
    expect(withoutMatrix(page)).toBeLessThan(small * 1.3);
  });
});
