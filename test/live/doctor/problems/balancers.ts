import {
  adopted,
  adopting,
  balancer,
  type DoctorProblem,
  inRegion,
  makeMap,
  makeProxy,
  makeSslCertificate,
  proxyOf,
  reserving,
  sslCertificateOf,
  without,
  wwwOf,
} from "./make";

/** Problems with the load balancer. */
export const balancers: readonly DoctorProblem[] = [
  {
    title: "the proxy that is to be adopted is not there",
    spec: adopting,
    found: (place) => [
      `existing-missing projects/${place.project}/global/urlMaps/web`,
      `proxy-missing ${proxyOf(place)}`,
    ],
    says: [/^gcloud compute target-https-proxies describe web --project=p\d+ --global$/],
  },
  {
    title: "a proxy of the name exists already",
    spec: (spec) => ({ ...spec, ...balancer({ newTargetHttpsProxy: { name: "web", urlMap: "global/urlMaps/shop" } }) }),
    make: async (world, place) => {
      await makeProxy(world, place, { sslCertificates: [await makeSslCertificate(world, place, [place.domain])] });
      return undefined;
    },
    found: (place) => [`proxy-exists ${proxyOf(place)}`],
    says: ["adoptTargetHttpsProxies"],
  },
  {
    title: "the proxy belongs to an internal load balancer",
    spec: (spec) => ({
      ...spec,
      ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: ["10.0.0.7"] }),
    }),
    make: async (world, place) => {
      const certificate = await makeSslCertificate(world, place, [place.domain, wwwOf(place)]);
      await makeProxy(world, place, { sslCertificates: [certificate] }, { scheme: "INTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-certificates-ignored ${proxyOf(place)}`, `proxy-kind-mismatch ${proxyOf(place)}`],
    says: [/forwardingRules\/web is INTERNAL_MANAGED, and the migration is for globalExternal$/],
  },
  {
    title: "the proxy has another map, with the same names",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`],
    says: [/^set existingCertificateMap to projects\/p\d+\/locations\/global\/certificateMaps\/old to add to it/],
  },
  {
    title: "the proxy has a map with names that would be lost",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, `api.${place.domain}`);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `proxy-names-lost ${proxyOf(place)}`],
    says: [/certificateMaps\/old serves api\.shop\d+\.com, and the migration does not$/],
  },
  {
    title: "the proxy presents certificates directly, with a name that would be lost",
    spec: (spec, place) => ({
      ...spec,
      ...balancer({
        adoptTargetHttpsProxies: [{ ...adopted, sslCertificates: [sslCertificateOf(place)] }],
        addresses: [place.address],
      }),
    }),
    make: async (world, place) => {
      const certificate = await makeSslCertificate(world, place, [place.domain, `api.${place.domain}`]);
      await makeProxy(world, place, { sslCertificates: [certificate] }, { scheme: "EXTERNAL" });
      return undefined;
    },
    found: (place) => [`proxy-certificates-ignored ${proxyOf(place)}`, `proxy-names-lost ${proxyOf(place)}`],
    says: [/sslCertificates\/old directly$/, "verify each of their names"],
  },
  {
    title: "a proxy of TCP load balancers presents certificates directly, beside which no map is taken",
    spec: (spec, place) => ({
      ...spec,
      ...balancer({
        adoptTargetSslProxies: [
          {
            name: "web",
            backendService: "global/backendServices/web",
            sslCertificates: null,
            sslPolicy: null,
            proxyHeader: null,
            description: null,
          },
        ],
        addresses: [place.address],
      }),
    }),
    make: async (world, place) => {
      const base = `/compute/v1/projects/${place.project}/global`;
      const certificate = await makeSslCertificate(world, place, [place.domain]);
      const service = { name: "web", loadBalancingScheme: "EXTERNAL", protocol: "TCP" };
      await world.cloud.make("POST", `${base}/backendServices`, service);
      await world.cloud.make("POST", `${base}/targetSslProxies`, {
        name: "web",
        service: "global/backendServices/web",
        sslCertificates: [certificate],
      });
      await world.cloud.make("POST", `${base}/forwardingRules`, {
        name: "web",
        target: "global/targetSslProxies/web",
        IPAddress: place.address,
        portRange: "443",
      });
      return undefined;
    },
    found: ({ project }) => [`proxy-certificates-conflict projects/${project}/global/targetSslProxies/web`],
    says: [/^projects\/p\d+\/global\/targetSslProxies\/web presents .*\/old directly$/],
  },
  {
    title: "what is stated of the proxy is not what it is set to",
    spec: (spec, { address }) => ({
      ...spec,
      ...balancer({
        adoptTargetHttpsProxies: [{ ...adopted, urlMap: "global/urlMaps/other", httpKeepAliveTimeoutSeconds: 30 }],
        addresses: [address],
      }),
    }),
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      const proxy = { certificateMap, httpKeepAliveTimeoutSec: 60, description: "made by hand" };
      await makeProxy(world, place, proxy, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => [
      `existing-missing projects/${place.project}/global/urlMaps/other`,
      `proxy-map-replaced ${proxyOf(place)}`,
      `proxy-settings-differ ${proxyOf(place)}`,
    ],
    says: [
      /urlMap is projects\/p\d+\/global\/urlMaps\/web, stated as global\/urlMaps\/other; httpKeepAliveTimeoutSec is 60, stated as 30; description is made by hand, stated as not set$/,
    ],
  },
  {
    title: "no forwarding rule leads to the proxy on port 443",
    spec: adopting,
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED", port: 8443 });
      return undefined;
    },
    found: (place) => [`proxy-map-replaced ${proxyOf(place)}`, `proxy-unreached ${proxyOf(place)}`],
    says: [/^no forwarding rule leads to .* on port 443, but .*forwardingRules\/web on 8443-8443$/],
  },
  {
    title: "the load balancer does not answer at the planned address",
    spec: (spec) => ({
      ...spec,
      ...balancer({ adoptTargetHttpsProxies: [adopted], addresses: ["192.0.2.8"] }),
    }),
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: (place) => ["address-elsewhere 192.0.2.8", `proxy-map-replaced ${proxyOf(place)}`],
    says: [/^192\.0\.2\.8 leads to no proxy of the migration; .* is at 198\.18\.0\.\d+$/],
  },
  {
    title: "another forwarding rule has the new one's address and port",
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL_MANAGED" });
      return undefined;
    },
    found: ({ address }) => [`address-taken ${address}`],
    says: [/forwardingRules\/web has 198\.18\.0\.\d+ port 443, and leads to/, "adopt the proxy"],
  },
  {
    title: "the map that is added to has the hostname already",
    spec: (spec, { project, domain }) => ({
      ...spec,
      certificates: [{ domains: [domain, wwwOf({ domain })], primary: true }],
      existingCertificateMap: `projects/${project}/locations/global/certificateMaps/old`,
    }),
    make: async (world, place) => {
      await makeMap(world, place, place.domain);
      return undefined;
    },
    found: ({ domain }) => [`entry-exists ${domain}`],
    says: [
      /certificateMapEntries\/e1 is for shop\d+\.com$/,
      /^gcloud certificate-manager maps entries describe e1 --map=old --location=global --project=p\d+$/,
    ],
  },
  {
    title: "the URL map of a new proxy is not there, and another one has nearly its name",
    spec: (spec, { address }) => ({
      ...spec,
      ...balancer({
        newTargetHttpsProxy: { urlMap: "global/urlMaps/shpo", forwardingRules: { ipv4Address: address } },
      }),
    }),
    found: ({ project }) => [`existing-missing projects/${project}/global/urlMaps/shpo`],
    says: [
      /^there is no projects\/p\d+\/global\/urlMaps\/shpo, which is the urlMap of the target proxy shop-https-[0-9a-f]+$/,
      /^change it to projects\/p\d+\/global\/urlMaps\/shop if that is meant, or create the URL map first$/,
      /^gcloud compute url-maps list --project=p\d+$/,
    ],
  },
  {
    title: "the address of a forwarding rule is not reserved",
    make: async ({ cloud }, { project }) => {
      await cloud.make("DELETE", `/compute/v1/projects/${project}/global/addresses/shop`);
      return undefined;
    },
    found: ({ address }) => [`address-not-reserved ${address}`],
    says: [/^project p\d+ has not reserved 198\.18\.0\.\d+$/, /^gcloud compute addresses list --project=p\d+$/],
  },
  {
    title: "the name of a reserved address is misspelled",
    spec: (spec, { address }) => ({
      ...spec,
      ...balancer({
        newTargetHttpsProxy: {
          urlMap: "global/urlMaps/shop",
          forwardingRules: { ipv4Address: "global/addresses/shops" },
        },
        addresses: [address],
      }),
    }),
    found: ({ project }) => [`existing-missing projects/${project}/global/addresses/shops`],
    says: [
      /which is the address of the forwarding rule https-ipv4$/,
      /^change it to projects\/p\d+\/global\/addresses\/shop /,
    ],
  },
  {
    title: "the address of a global load balancer is reserved in a region",
    make: reserving({}),
    found: ({ address }) => [`address-scope-mismatch ${address}`],
    says: [
      /regions\/europe-west1\/addresses\/web \(198\.18\.0\.\d+\) is in europe-west1, and the load balancer is global$/,
      /^gcloud compute addresses describe web --project=p\d+ --region=europe-west1$/,
    ],
  },
  {
    title: "the address of a regional load balancer is of the standard network tier",
    spec: inRegion,
    make: reserving({ networkTier: "STANDARD" }),
    found: ({ address }) => [`network-tier-mismatch ${address}`],
    says: [/has the network tier STANDARD; Terraform creates the forwarding rule in the tier PREMIUM$/],
  },
  {
    title: "a classic load balancer answers in the standard network tier",
    spec: (spec) => ({ ...without(spec, "traffic"), ...balancer({ adoptTargetHttpsProxies: [adopted] }) }),
    make: async (world, place) => {
      const map = await makeMap(world, place, place.domain);
      const certificateMap = `//certificatemanager.googleapis.com/${map}`;
      await makeProxy(world, place, { certificateMap }, { scheme: "EXTERNAL", standardIn: "europe-west1" });
      return undefined;
    },
    found: (place) => [`network-tier-mismatch ${proxyOf(place)}`, `proxy-map-replaced ${proxyOf(place)}`],
    says: [
      /regions\/europe-west1\/forwardingRules\/web has the network tier STANDARD, and leads to the global /,
      /^gcloud compute forwarding-rules describe web --project=p\d+ --region=europe-west1$/,
    ],
  },
];
