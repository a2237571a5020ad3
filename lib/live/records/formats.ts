import { InputError } from "../../errors";
import { groupBy } from "../../json/group-by";
import { type ChallengeRecord, zoneFile } from "./records";

/** Formats in which DNS hosts and tools import records. */
export const recordFormats = ["bind", "cloudflare", "dnscontrol", "octodns", "route53", "terraform"] as const;

/** See {@link recordFormats}. */
export type RecordFormat = (typeof recordFormats)[number];

/** Formats with a file for each zone. */
const onePerZone: ReadonlySet<RecordFormat> = new Set(["cloudflare", "octodns", "route53"]);

/**
 * Returns records in a format.
 *
 * @param ttlSeconds time to live of each record
 * @throws InputError `records-in-several-zones` for a format with a file for each zone
 */
export function formatRecords(format: RecordFormat, records: readonly ChallengeRecord[], ttlSeconds: number): string {
  const zones = [...new Set(records.map(({ zone }) => zone))];
  if (zones.length > 1 && onePerZone.has(format)) {
    const message = `the records are in ${zones.length} zones (${zones.join(", ")}), and '${format}' has a file for each zone; give one with --zone`;
    throw new InputError("records-in-several-zones", message);
  }
  return writers[format](records, ttlSeconds);
}

type Writer = (records: readonly ChallengeRecord[], ttlSeconds: number) => string;

const writers: Readonly<Record<RecordFormat, Writer>> = {
  bind: zoneFile,
  cloudflare: (records, ttlSeconds) => {
    // Cloudflare reads the comment: its proxy would hide the record from the CA.
    const line = ({ name, data }: ChallengeRecord) =>
      `${name}\t${ttlSeconds}\tIN\tCNAME\t${data} ; cf_tags=cf-proxied:false\n`;
    return records.map(line).join("");
  },
  dnscontrol: (records, ttlSeconds) => {
    const zones = [...groupBy(records, ({ zone }) => zone)].map(([zone, inZone]) => {
      const lines = inZone.map(({ relativeName, data }) => {
        return `  CNAME(${JSON.stringify(relativeName)}, ${JSON.stringify(data)}, TTL(${ttlSeconds}))`;
      });
      // Former versions of DNSControl refuse a comma after the last argument.
      return `D_EXTEND(${JSON.stringify(zone)},\n${lines.join(",\n")}\n);\n`;
    });
    return zones.join("\n");
  },
  octodns: (records, ttlSeconds) => {
    const sorted = [...records].sort((a, b) => (a.relativeName < b.relativeName ? -1 : 1));
    const entries = sorted.map(({ relativeName, data }) => {
      return `${JSON.stringify(relativeName)}:\n  ttl: ${ttlSeconds}\n  type: CNAME\n  value: ${JSON.stringify(data)}\n`;
    });
    return `---\n${entries.join("")}`;
  },
  route53: (records, ttlSeconds) => {
    const changes = records.map(({ name, data }) => ({
      Action: "UPSERT",
      ResourceRecordSet: { Name: name, Type: "CNAME", TTL: ttlSeconds, ResourceRecords: [{ Value: data }] },
    }));
    return `${JSON.stringify({ Changes: changes }, undefined, 2)}\n`;
  },
  terraform: (records, ttlSeconds) => {
    const entries = records.map(({ domain, name, data }) => {
      const values = [
        ["hostname", JSON.stringify(domain)],
        ["name", JSON.stringify(withoutDot(name))],
        ["type", '"CNAME"'],
        ["data", `[${JSON.stringify(withoutDot(data))}]`],
        ["ttl", String(ttlSeconds)],
      ] as const;
      const lines = values.map(([key, value]) => `      ${key.padEnd(8)} = ${value}\n`);
      return `    ${JSON.stringify(domain)} = {\n${lines.join("")}    }\n`;
    });
    return `locals {\n  authorization_records = {\n${entries.join("")}  }\n}\n`;
  },
};

function withoutDot(name: string): string {
  return name.replace(/\.$/, "");
}
