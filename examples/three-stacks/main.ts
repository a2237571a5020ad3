import { App } from "cdktf";
import { CertificatesStack } from "./certificates";
import { environments } from "./environments";
import { LoadBalancerStack } from "./load-balancer";
import { NetworkStack } from "./network";

const app = new App();
for (const environment of environments) {
  const network = new NetworkStack(app, environment);
  const certificates = new CertificatesStack(app, environment, network);
  new LoadBalancerStack(app, environment, network, certificates);
}
app.synth();
