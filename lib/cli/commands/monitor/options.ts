import { clientCertificateOptions, connectionOptions, trustPoolOption } from "../../connections";
import { type OptionValues, value } from "../../declare";
import { dnsServerOption, endpointOption, jsonOption } from "../../options";
import { shardOption } from "../../shard";
import { sourceOptions } from "../../source";
import { checked, duration } from "../../value-types";

const listenAddress = checked(
  "listen-malformed",
  (given) => {
    const [, ipv6, host, port = ""] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(given) ?? [];
    const address = ipv6 ?? host;
    return address === undefined || Number(port) > 65_535 ? undefined : { address, port: Number(port) };
  },
  "is not an address to listen on; use HOST:PORT, as in 127.0.0.1:9000 or [::1]:9000",
);

const metricsFile = {
  ...checked(
    "metrics-malformed",
    (given) => (given === "-" || given === "" ? undefined : given),
    "is not a file; give the name of a file",
  ),
  refuses: ["-", "metrics-malformed"],
} as const;

export const monitorOptions = {
  ...sourceOptions,
  "--metrics <file>": value(
    metricsFile,
    "write the metrics in the text format of Prometheus to this file, by a rename",
  ),
  "--listen <host:port>": value(
    listenAddress,
    "serve /metrics and /healthz at this address, and repeat the pass until the command is stopped",
  ),
  "--every <time>": value(
    duration({ least: "1s" }),
    "with --listen: time from the end of a pass to the next one, at least 1s",
    "5m",
  ),
  ...shardOption,
  ...connectionOptions,
  ...trustPoolOption,
  ...clientCertificateOptions,
  ...dnsServerOption,
  ...endpointOption,
  ...jsonOption,
};

export type MonitorOptions = OptionValues<typeof monitorOptions>;
