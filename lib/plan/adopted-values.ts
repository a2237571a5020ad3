/** Values of adopted proxies that state that the proxy has no value. */
const noValues = {
  sslCertificates: [],
  sslPolicy: "",
  quicOverride: "UNSET",
  tlsEarlyData: "UNSET",
  httpKeepAliveTimeoutSeconds: 0,
  serverTlsPolicy: "",
  proxyHeader: "UNSET",
  description: "",
} as const;

/** Returns an adopted proxy with the present values in place of `null`, which documents of earlier versions have. */
export function withoutNulls<Proxy extends object>(proxy: Proxy): Proxy {
  const values = Object.entries(proxy).map(([name, value]: [string, unknown]) => [
    name,
    value === null && Object.hasOwn(noValues, name) ? Reflect.get(noValues, name) : value,
  ]);
  return Object.fromEntries(values) as Proxy;
}

/** Returns the value of an adopted proxy's field; undefined if the spec states that the proxy has no value. */
export function statedValue<Value extends string | number>(value: Value | undefined): Value | undefined {
  return value === "" || value === 0 || value === "UNSET" ? undefined : value;
}
