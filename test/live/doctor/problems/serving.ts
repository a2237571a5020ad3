import type { Place, SpecOfTest, World } from "../world";
import {
  balancer,
  type DoctorProblem,
  makeMap,
  makeProxy,
  makeSslCertificate,
  proxyOf,
  sslCertificateOf,
  without,
  wwwOf,
} from "./make";

/** A migration that attaches a map in place to the proxy `web`, which has the certificate `old`. */
const inPlace = (spec: SpecOfTest, place: Place): SpecOfTest => ({
  ...without(spec, "traffic"),
  ...balancer({
    servingProxies: [
      {
        proxy: proxyOf(place),
        addresses: [place.address],
        certificates: [{ id: sslCertificateOf(place), domains: [place.domain, wwwOf(place)] }],
      },
    ],
  }),
});

/** Creates the proxy as the migration states it. */
async function serve(world: World, place: Place, names: readonly string[], proxy: object = {}) {
  const certificate = await makeSslCertificate(world, place, names);
  const own = { sslCertificates: [certificate], ...proxy };
  await makeProxy(world, place, own, { scheme: "EXTERNAL_MANAGED" });
  return undefined;
}

/** Creates a target SSL proxy with the certificate `old`, without a forwarding rule. */
async function makeSslProxy(world: World, place: Place): Promise<void> {
  const base = `/compute/v1/projects/${place.project}/global`;
  const certificate = await makeSslCertificate(world, place, today(place));
  const service = { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "SSL" };
  await world.cloud.make("POST", `${base}/backendServices`, service);
  const proxy = { name: "web", service: "global/backendServices/web", sslCertificates: [certificate] };
  await world.cloud.make("POST", `${base}/targetSslProxies`, proxy);
}

const today = (place: Place) => [place.domain, wwwOf(place)];

/** Proxies that serve the hostnames today. */
export const serving: readonly DoctorProblem[] = [
  {
    title: "a proxy that serves as in the inventory has no finding",
    spec: inPlace,
    make: (world, place) => serve(world, place, today(place)),
    found: () => [],
    says: [],
  },
  {
    title: "a proxy that serves today is not there",
    spec: inPlace,
    found: (place) => [`serving-proxy-missing ${proxyOf(place)}`],
    says: [/^gcloud compute target-https-proxies describe web /],
  },
  {
    title: "a proxy that serves today is a target SSL proxy",
    spec: inPlace,
    make: async (world, place) => {
      await makeSslProxy(world, place);
      return undefined;
    },
    found: (place) => [`serving-proxy-missing ${proxyOf(place)}`],
    says: [/is a target SSL proxy$/, "with targetSslProxies in its id"],
  },
  {
    title: "a target SSL proxy that serves as in the inventory has no finding",
    spec: (spec, place) => {
      const text = JSON.stringify(inPlace(spec, place));
      return JSON.parse(text.replace("targetHttpsProxies", "targetSslProxies")) as SpecOfTest;
    },
    make: async (world, place) => {
      await makeSslProxy(world, place);
      const rule = { name: "web", IPAddress: place.address, IPProtocol: "TCP", portRange: "443-443" };
      await world.cloud.make("POST", `/compute/v1/projects/${place.project}/global/forwardingRules`, {
        ...{ ...rule, loadBalancingScheme: "EXTERNAL_MANAGED", networkTier: "PREMIUM" },
        target: `projects/${place.project}/global/targetSslProxies/web`,
      });
      return undefined;
    },
    found: () => [],
    says: [],
  },
  {
    title: "a proxy that serves today got another certificate, with a name that the migration lacks",
    spec: (spec, place) => {
      const text = JSON.stringify(inPlace(spec, place));
      return JSON.parse(text.replace("sslCertificates/old", "sslCertificates/former")) as SpecOfTest;
    },
    make: (world, place) => serve(world, place, [...today(place), `api.${place.domain}`]),
    found: (place) => [`proxy-names-lost ${proxyOf(place)}`, `serving-certificates-changed ${proxyOf(place)}`],
    says: [
      /it got projects\/p\d+\/global\/sslCertificates\/old, and it lost projects\/p\d+\/global\/sslCertificates\/former$/,
      /serves api\.shop\d+\.com, and the migration does not$/,
    ],
  },
  {
    title: "a proxy that serves today got another map",
    spec: inPlace,
    make: async (world, place) => {
      const certificateMap = `//certificatemanager.googleapis.com/${await makeMap(world, place, place.domain)}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `serving-certificates-changed ${proxyOf(place)}`],
    says: [/has the map projects\/p\d+\/locations\/global\/certificateMaps\/old$/],
  },
  {
    title: "a proxy that serves today got another address",
    spec: (spec, place) => inPlace(spec, { ...place, address: "198.51.100.9" }),
    make: (world, place) => serve(world, place, today(place)),
    found: (place) => [`serving-address-changed ${proxyOf(place)}`],
    says: [/is at 198\.18\.0\.\d+, and the migration states 198\.51\.100\.9$/],
  },
  {
    title: "a proxy that serves today is in the network tier STANDARD",
    spec: inPlace,
    make: async (world, place) => {
      const certificate = await makeSslCertificate(world, place, today(place));
      const rule = { scheme: "EXTERNAL", standardIn: "europe-west1" };
      await makeProxy(world, place, { sslCertificates: [certificate] }, rule);
      return undefined;
    },
    found: (place) => [`network-tier-mismatch ${proxyOf(place)}`, `serving-address-changed ${proxyOf(place)}`],
    says: ["STANDARD"],
  },
  {
    title: "a controller of GKE manages a proxy that serves today",
    spec: inPlace,
    make: (world, place) => {
      const description = '{"kubernetes.io/ingress-name": "default/web"}';
      return serve(world, place, today(place), { description });
    },
    found: (place) => [`serving-proxy-owned-by-gke ${proxyOf(place)}`],
    says: [/a description contains "kubernetes\.io\/ingress-name"$/],
  },
  {
    title: "an uploaded certificate of a proxy that serves today expires in 29 days",
    spec: inPlace,
    make: async (world, place) => {
      await serve(world, place, today(place));
      return { options: { now: new Date("2059-12-03T00:00:00Z") } };
    },
    found: (place) => [`serving-certificate-expires ${sslCertificateOf(place)}`],
    says: [/^it expires on 2060-01-01, and projects\/p\d+\/global\/targetHttpsProxies\/web presents it$/],
  },
  {
    title: "a certificate of a proxy that serves today has expired",
    spec: inPlace,
    make: async (world, place) => {
      await serve(world, place, today(place));
      return { options: { now: new Date("2060-01-01T00:00:00Z") } };
    },
    found: (place) => [`serving-certificate-expired ${sslCertificateOf(place)}`],
    says: [/^it expired on 2060-01-01/],
  },
];
