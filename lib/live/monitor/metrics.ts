import { Gauge, Registry, type RegistryContentType } from "prom-client";
import { defined } from "../../json/defined";
import type { StepState } from "../status";
import type { MonitorPass } from "./model";

/** A pass of the monitor, or an attempt that failed. */
export interface PassOutcome {
  /** The latest pass that ended; its hostnames stay in the metrics. @default - none has ended */
  readonly pass?: MonitorPass;
  /** Whether the latest attempt ended with a result; its result can contain errors. */
  readonly isSuccess: boolean;
  /** Time of the end of the latest pass that ended. @default - none has ended */
  readonly endedAt?: Date;
  /** Duration of the latest attempt. */
  readonly seconds: number;
  /** The part of the hostnames, as in `2/10`, which labels the metrics of the pass. @default - all hostnames */
  readonly shard?: string;
}

/** Text format of metrics: of Prometheus, or OpenMetrics 1.0. */
export type MetricsFormat = "prometheus" | "openmetrics";

export interface MetricsPage {
  readonly contentType: string;
  readonly text: string;
}

const ofHostname = ["hostname", "certificate", "migration"] as const;

/**
 * Returns the metrics of a pass, without timestamps. A hostname that is no longer monitored is not in the next page.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export async function metricsPage(outcome: PassOutcome, format: MetricsFormat): Promise<MetricsPage> {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(
    format === "openmetrics" ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE,
  );
  const registers = [registry];
  const perHostname = (name: string, help: string) =>
    new Gauge({ name: `cert_migration_${name}`, help, labelNames: ofHostname, registers });
  // One collector of text files refuses two files with the same series.
  const ofShard = defined({ shard: outcome.shard });
  const setOfPass = (name: string, help: string, found: number) =>
    new Gauge({ name: `cert_migration_${name}`, help, labelNames: Object.keys(ofShard), registers }).set(
      ofShard,
      found,
    );
  const gauges = {
    expiry: perHostname("days_to_expiry", "Days until the certificate of the hostname ends"),
    renewal: perHostname("days_to_renewal", "Days until the renewal of the certificate is due; negative after that"),
    certificate: perHostname("certificate_active", "1 if the certificate of the hostname is ACTIVE"),
    entry: perHostname("entry_active", "1 if the map entry of the hostname is ACTIVE"),
    record: perHostname("record_published", "1 if the CNAME of the hostname's authorization is published"),
    handshake: perHostname("handshake_success", "1 if the load balancer serves the hostname at every address"),
  };
  for (const monitored of outcome.pass?.hostnames ?? []) {
    const { hostname, migration, certificate = "", alternatives = [], entryState, record, handshake } = monitored;
    const labels = { hostname, certificate, migration };
    for (const { certificate: id = "", certificateState, daysToExpiry, daysToRenewal } of [
      monitored,
      ...alternatives,
    ]) {
      const ofCertificate = { ...labels, certificate: id };
      if (daysToExpiry !== undefined) gauges.expiry.set(ofCertificate, daysToExpiry);
      if (daysToRenewal !== undefined) gauges.renewal.set(ofCertificate, daysToRenewal);
      if (id !== "") gauges.certificate.set(ofCertificate, Number(certificateState === "ACTIVE"));
    }
    if (entryState !== undefined) gauges.entry.set(labels, Number(entryState === "ACTIVE"));
    if (isKnown(record)) gauges.record.set(labels, Number(record === "done"));
    if (isKnown(handshake)) gauges.handshake.set(labels, Number(handshake === "done"));
  }
  const counts = new Gauge({
    name: "cert_migration_findings",
    help: "Findings of the latest pass with a result by severity",
    labelNames: ["severity", ...Object.keys(ofShard)],
    registers,
  });
  // 0 findings of a pass that never ended would resolve an alert.
  const { findings } = outcome.pass ?? {};
  for (const severity of findings === undefined ? [] : (["error", "warning", "info"] as const)) {
    counts.set({ severity, ...ofShard }, findings?.filter((found) => found.severity === severity).length ?? 0);
  }
  setOfPass("last_pass_success", "1 if the latest pass ended with a result", Number(outcome.isSuccess));
  setOfPass("last_pass_duration_seconds", "Duration of the latest pass", outcome.seconds);
  if (outcome.endedAt !== undefined) {
    const help = "Unix time of the end of the latest pass with a result";
    setOfPass("last_pass_timestamp_seconds", help, outcome.endedAt.getTime() / 1_000);
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** What is not known has no sample: 0 would raise an alert about something that was not seen. */
function isKnown(state: StepState): boolean {
  return state !== "none" && state !== "unknown";
}
