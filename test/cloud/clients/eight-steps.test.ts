import { join } from "node:path";
import { runScript } from "../../support/child";
import { parent, startTestCloud } from "../../support/cloud";

describe("the eight steps with unmodified client libraries", () => {
  it("end with every hostname served by the new certificates, and with traffic moved", async () => {
    await using cloud = await startTestCloud({ speed: 600 });
    const { http, dns, trustBundle } = cloud.endpoints;
    const script = join(__dirname, "eight-steps.ts");
    const { exitCode, stdout, stderr } = await runScript(script, [http, dns], trustBundle);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const move = { before: ["198.51.100.1"], after: ["203.0.113.7"] };
    expect(JSON.parse(stdout)).toEqual({
      changes: ["done", "done", "done"],
      issued: [
        { id: "shop", sanDnsnames: ["example.com", "*.example.com"], states: ["AUTHORIZED", "AUTHORIZED"] },
        { id: "pay", sanDnsnames: ["pay.example.net", "example.net"], states: ["AUTHORIZED", "AUTHORIZED"] },
      ],
      entries: ["*.example.com", "example.com", "example.net", "pay.example.net"].map((hostname) => ({
        hostname,
        state: "ACTIVE",
      })),
      attached: {
        certificateMap: `//certificatemanager.googleapis.com/${parent}/certificateMaps/main`,
        gclbTargets: [
          {
            targetHttpsProxy: "//compute.googleapis.com/projects/p1/global/targetHttpsProxies/web",
            targetProxy: "targetHttpsProxy",
            ipConfigs: [{ ipAddress: "203.0.113.7", ports: [443] }],
          },
        ],
      },
      served: {
        "example.com": "trusted: DNS:example.com, DNS:*.example.com",
        "www.example.com": "trusted: DNS:example.com, DNS:*.example.com",
        "pay.example.net": "trusted: DNS:pay.example.net, DNS:example.net",
        "example.net": "trusted: DNS:pay.example.net, DNS:example.net",
      },
      moved: ["example.com", "www.example.com", "pay.example.net", "example.net"].map((name) => ({ name, ...move })),
      aside: {
        patched: { description: "moved", labels: {} },
        firstPage: 2,
        all: 5,
        codes: [404, 409, 400, 404, 409, 409, 404, 412],
      },
    });
    expect(cloud.requests().filter(({ status }) => status >= 500)).toEqual([]);
  }, 30_000);
});
