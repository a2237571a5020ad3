import { defineGroup } from "../../../behavior";
import { pages } from "../../../sources";
import { createEntry, entryNameOf, patch } from "../../certificate-manager/resources";
import {
  type FrontEnd,
  frontHost,
  handshake,
  isRefused,
  managerCertificate,
  mapLink,
  namesOf,
  propagated,
  removeEntry,
  servedNames,
  setOnProxy,
  sharedFrontEnd,
} from "./resources";

/** The behaviors change the load balancer one after the other, so their order matters. */
export const propagation = defineGroup<FrontEnd>({
  service: "compute-engine",
  concept: "front-end-propagation",
  needs: ["front-end"],
  prepare: sharedFrontEnd,
  behaviors: [
    {
      word: "new-entry",
      statement: "A new entry of an attached map is served within 20 minutes.",
      source: [pages.mapEntries, pages.managerProto],
      reliedOnBy: ["propagation-slow", "domain-added"],
      expected: ["added.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) => {
        const hostname = frontHost(side, "added");
        const certificates = [await managerCertificate(side, "front-added", [hostname])];
        await createEntry(side, frontEnd.map, "front-added", { hostname, certificates });
        return servedNames(side, frontEnd, { servername: hostname }, hostname);
      },
    },
    {
      word: "other-certificate",
      statement: "The new certificate of an entry is served within 20 minutes, and the entry never has none meanwhile.",
      source: pages.mapEntries,
      reliedOnBy: ["certificates-issued-anew", "killed-at-repointing"],
      expected: { refused: 0, served: ["repointed.front.{prefix}.{domain}"] },
      observe: async (side, frontEnd) => {
        const servername = frontHost(side, "added");
        const first = frontHost(side, "repointed");
        const certificates = [await managerCertificate(side, "front-repointed", [first])];
        await patch(side, entryNameOf(side, frontEnd.map, "front-added"), "certificates", { certificates });
        let refused = 0;
        const result = await propagated(side, frontEnd, { servername }, (seen) => {
          if ("refused" in seen) refused += 1;
          return !("refused" in seen) && seen.dnsNames[0] === first;
        });
        return { refused, served: namesOf(result) };
      },
    },
    {
      word: "deleted-entry",
      statement: "The hostname of a deleted entry gets the certificate of the wildcard entry within 20 minutes.",
      source: [pages.selection, pages.mapEntries],
      reliedOnBy: ["entry-deleted-covered", "deleted-before-front-ends-know"],
      expected: ["*.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) => {
        await removeEntry(side, frontEnd, "front-added");
        return servedNames(side, frontEnd, { servername: frontHost(side, "added") }, `*.${frontHost(side)}`);
      },
    },
    {
      word: "without-primary",
      statement: "Without `PRIMARY`, clients without SNI and with other hostnames are refused.",
      source: pages.selection,
      reliedOnBy: ["no-entry", "no-sni-lost", "clients-without-sni"],
      expected: { withoutSni: true, otherName: true, ownName: ["exact.front.{prefix}.{domain}"] },
      observe: async (side, frontEnd) => {
        await removeEntry(side, frontEnd, "front-primary");
        const withoutSni = isRefused(await propagated(side, frontEnd, {}, isRefused));
        const other = { servername: side.host("elsewhere") };
        const otherName = isRefused(await propagated(side, frontEnd, other, isRefused));
        const ownName = namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact") }));
        return { withoutSni, otherName, ownName };
      },
    },
    {
      word: "map-detached",
      statement: "A proxy whose map is detached serves its SSL certificates within 20 minutes.",
      source: [pages.maps, pages.sslCertificates],
      reliedOnBy: ["in-place-rolled-back-to-some", "map-detached"],
      expected: ["direct-1.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) => {
        await setOnProxy(side, "setCertificateMap", { certificateMap: "" });
        const first = frontHost(side, "direct-1");
        return servedNames(side, frontEnd, { servername: first }, first);
      },
    },
    {
      word: "direct-selection",
      statement: "A hostname gets the attached SSL certificate that contains its name.",
      source: pages.sslCertificates,
      reliedOnBy: ["existing-proxy-with-certificates", "lib/cloud/tls/select.ts"],
      expected: ["direct-2.front.{prefix}.{domain}", "exact.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: frontHost(side, "exact") })),
    },
    {
      word: "direct-default",
      statement: "A hostname in no attached SSL certificate gets the first one.",
      source: pages.sslCertificates,
      reliedOnBy: ["proxy-first-certificate", "default-of-others"],
      expected: ["direct-1.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) =>
        namesOf(await handshake(side, frontEnd, { servername: side.host("elsewhere") })),
    },
    {
      word: "direct-no-sni",
      statement: "A client without SNI gets the first attached SSL certificate.",
      source: pages.sslCertificates,
      reliedOnBy: ["proxy-first-certificate", "no-sni-served"],
      expected: ["direct-1.front.{prefix}.{domain}"],
      observe: async (side, frontEnd) => namesOf(await handshake(side, frontEnd, {})),
    },
    {
      word: "map-attached",
      statement: "A map takes effect within 20 minutes after it is attached, without a refused handshake meanwhile.",
      source: [pages.maps, pages.targetSslProxyFields],
      reliedOnBy: ["propagation-slow", "attachment-unseen", "in-place-map-attached-at-once"],
      expected: { refused: 0, served: ["exact.front.{prefix}.{domain}"] },
      observe: async (side, frontEnd) => {
        await setOnProxy(side, "setCertificateMap", { certificateMap: mapLink(side) });
        const first = frontHost(side, "exact");
        let refused = 0;
        const result = await propagated(side, frontEnd, { servername: first }, (seen) => {
          if ("refused" in seen) refused += 1;
          return !("refused" in seen) && seen.dnsNames[0] === first;
        });
        return { refused, served: namesOf(result) };
      },
    },
  ],
});
