import type { Fields } from "../../json/fields";
import { eventKinds, type RehearsalRecord, type RehearsalTimeline, type Rehearsed, servers } from "../model";
import type { FieldReader } from "./field-reader";

type Result = RehearsalRecord["result"];

/** Reads what was rehearsed; empty if the file is of an earlier version. */
export function readRehearsed(file: Fields, reader: FieldReader): Pick<Result, "rehearsed"> {
  if (file.rehearsed === undefined) return {};
  const [fields, at] = reader.object(file, "rehearsed", "");
  return {
    rehearsed: {
      input: readInput(...reader.object(fields, "input", at), reader),
      hostnames: reader.texts(fields, "hostnames", at),
      ...reader.maybeText(fields, "addedHostname", at),
      versions: readVersions(...reader.object(fields, "versions", at), reader),
      provider: reader.oneOf(fields, "provider", at, ["stand-in", "real"]),
      speed: reader.amount(fields, "speed", at),
      ...readFaults(fields, at, reader),
      startedAt: rfc3339(fields, "startedAt", at, reader),
      endedAt: rfc3339(fields, "endedAt", at, reader),
      ...readEvidence(fields, at, reader),
    },
  };
}

/** Reads what clients with and without a certificate got; empty without mutual TLS. */
export function readClients(file: Fields, reader: FieldReader): Pick<Result, "clients"> {
  if (file.clients === undefined) return {};
  const [fields, at] = reader.object(file, "clients", "");
  const [withCertificate, ofWith] = reader.object(fields, "withCertificate", at);
  const [withoutCertificate, ofWithout] = reader.object(fields, "withoutCertificate", at);
  const countsOf = (counts: Fields, place: string) => ({
    probes: reader.count(counts, "probes", place),
    failed: reader.count(counts, "failed", place),
  });
  return {
    clients: {
      refusesOthers: reader.flag(fields, "refusesOthers", at),
      withCertificate: countsOf(withCertificate, ofWith),
      withoutCertificate: {
        ...countsOf(withoutCertificate, ofWithout),
        refused: reader.count(withoutCertificate, "refused", ofWithout),
      },
    },
  };
}

function readInput(input: Fields, at: string, reader: FieldReader): Rehearsed["input"] {
  return {
    kind: reader.oneOf(input, "kind", at, ["spec", "certificates", "stack", "app", "terraform-dir"]),
    name: reader.text(input, "name", at),
    sha256: reader.text(input, "sha256", at),
    migrations: reader.list(input, "migrations", at).map(([migration, here]) => ({
      name: reader.text(migration, "name", here),
      ...reader.maybeText(migration, "project", here),
      certificates: reader.list(migration, "certificates", here).map(([certificate, place]) => ({
        name: reader.anyText(certificate, "name", place),
        kind: reader.text(certificate, "kind", place),
        domains: reader.texts(certificate, "domains", place),
      })),
    })),
  };
}

function readVersions(versions: Fields, at: string, reader: FieldReader): Rehearsed["versions"] {
  const [terraform, ofTerraform] = reader.object(versions, "terraform", at);
  const [kit, ofKit] = reader.object(versions, "kit", at);
  return {
    package: reader.text(versions, "package", at),
    terraform: {
      program: reader.text(terraform, "program", ofTerraform),
      version: reader.text(terraform, "version", ofTerraform),
    },
    ...reader.maybeText(versions, "provider", at),
    kit: Object.fromEntries(Object.keys(kit).map((name) => [name, reader.text(kit, name, ofKit)])),
    node: reader.text(versions, "node", at),
  };
}

function readFaults(fields: Fields, at: string, reader: FieldReader): Pick<Rehearsed, "faults"> {
  if (fields.faults === undefined) return {};
  const [faults, here] = reader.object(fields, "faults", at);
  return { faults: { name: reader.text(faults, "name", here), ...reader.maybeText(faults, "sha256", here) } };
}

function readEvidence(fields: Fields, at: string, reader: FieldReader): Pick<Rehearsed, "evidence"> {
  if (fields.evidence === undefined) return {};
  const [evidence, here] = reader.object(fields, "evidence", at);
  const folder = reader.text(evidence, "folder", here);
  return { evidence: { folder, manifestSha256: reader.text(evidence, "manifestSha256", here) } };
}

/** Reads events and handshakes; empty if the file is of an earlier version. */
export function readTimeline(file: Fields, reader: FieldReader): Pick<Result, "timeline"> {
  if (file.timeline === undefined) return {};
  const [fields, at] = reader.object(file, "timeline", "");
  const [addresses, ofAddresses] = reader.object(fields, "addresses", at);
  return {
    timeline: {
      from: rfc3339(fields, "from", at, reader),
      until: rfc3339(fields, "until", at, reader),
      events: reader.list(fields, "events", at).map(([event, here]) => readEvent(event, here, reader)),
      hostnames: reader.list(fields, "hostnames", at).map(([served, here]) => ({
        hostname: reader.text(served, "hostname", here),
        runs: reader.list(served, "runs", here).map(([run, place]) => readRun(run, place, reader)),
      })),
      certificates: reader.list(fields, "certificates", at).map(([certificate, here]) => ({
        sha256: reader.text(certificate, "sha256", here),
        side: reader.oneOf(certificate, "side", here, ["previous", "new"]),
        names: reader.texts(certificate, "names", here),
        issuer: reader.anyText(certificate, "issuer", here),
        keyType: reader.text(certificate, "keyType", here),
        notBefore: rfc3339(certificate, "notBefore", here, reader),
        notAfter: rfc3339(certificate, "notAfter", here, reader),
      })),
      addresses: {
        previous: reader.texts(addresses, "previous", ofAddresses),
        loadBalancer: reader.texts(addresses, "loadBalancer", ofAddresses),
      },
    },
  };
}

function readEvent(event: Fields, at: string, reader: FieldReader): RehearsalTimeline["events"][number] {
  return {
    kind: reader.oneOf(event, "kind", at, eventKinds),
    from: rfc3339(event, "from", at, reader),
    ...(event.until === undefined ? {} : { until: rfc3339(event, "until", at, reader) }),
    what: reader.text(event, "what", at),
    ...(event.ok === undefined ? {} : { ok: reader.flag(event, "ok", at) }),
    ...(event.hostnames === undefined ? {} : { hostnames: reader.texts(event, "hostnames", at) }),
  };
}

function readRun(run: Fields, at: string, reader: FieldReader) {
  return {
    from: rfc3339(run, "from", at, reader),
    until: rfc3339(run, "until", at, reader),
    by: reader.oneOf(run, "by", at, servers),
    handshakes: reader.count(run, "handshakes", at),
    ...(run.failed === undefined ? {} : { failed: reader.count(run, "failed", at) }),
    ...reader.maybeText(run, "certificate", at),
    ...reader.maybeText(run, "error", at),
  };
}

function rfc3339(fields: Fields, key: string, at: string, reader: FieldReader): string {
  return reader.time(fields, key, at).toISOString();
}
