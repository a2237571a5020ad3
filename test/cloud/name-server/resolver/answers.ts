import type { DecodedPacket, Packet } from "dns-packet";

/** A good answer to a query: one address. */
export function good({ id, questions }: DecodedPacket, address = "192.0.2.1"): Packet {
  const name = questions?.[0]?.name ?? "";
  return {
    type: "response",
    id: id ?? 0,
    questions: questions ?? [],
    answers: [{ name, type: "A", ttl: 1, data: address }],
  };
}

/** Response codes by their numbers. */
export const RCODE = { FORMERR: 1, SERVFAIL: 2, YXDOMAIN: 6, RCODE11: 11 } as const;
