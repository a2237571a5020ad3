package com.example.shop;

import com.example.certmigration.Certificate;
import com.example.certmigration.CertificateAlerts;
import com.example.certmigration.CloudDnsOptions;
import com.example.certmigration.DnsPublication;
import com.example.certmigration.ForwardingRulesSpec;
import com.example.certmigration.GlobalExternalOptions;
import com.example.certmigration.IssuedCertificateOptions;
import com.example.certmigration.LoadBalancer;
import com.example.certmigration.ManagedCertMigration;
import com.example.certmigration.NewTargetHttpsProxySpec;
import com.example.certmigration.WildcardCertWithAuth;
import io.cdktn.cdktn.App;
import io.cdktn.cdktn.TerraformStack;
import io.cdktn.cdktn.TerraformVariable;
import io.cdktn.providers.google.provider.GoogleProvider;
import java.util.List;
import java.util.Map;
import software.constructs.Construct;

/** A migration of two certificates with CDK Terrain in Java. */
public final class Main {
  private Main() {}

  /** Certificates, a map, a load balancer and alerts for shop.example.com and all names below example.net. */
  static final class ShopStack extends TerraformStack {
    ShopStack(Construct scope, String id) {
      super(scope, id);
      GoogleProvider.Builder.create(this, "google").project("my-project").build();
      TerraformVariable zone =
          TerraformVariable.Builder.create(this, "zone").type("string").defaultValue("example-com").build();
      ManagedCertMigration migration =
          ManagedCertMigration.Builder.create(this, "shop")
              .certificates(
                  List.of(
                      Certificate.managed(
                          IssuedCertificateOptions.builder()
                              .domains(List.of("shop.example.com", "www.shop.example.com"))
                              .build()),
                      Certificate.managed(
                          IssuedCertificateOptions.builder().name("pay").domains(List.of("pay.example.com")).build())))
              .dns(zones("example.com", zone.getStringValue()))
              .loadBalancer(
                  LoadBalancer.globalExternal(
                      GlobalExternalOptions.builder()
                          .newTargetHttpsProxy(
                              NewTargetHttpsProxySpec.builder()
                                  .urlMap("projects/my-project/global/urlMaps/web")
                                  .forwardingRules(ForwardingRulesSpec.builder().ipv4Address("203.0.113.7").build())
                                  .build())
                          .build()))
              .build();
      WildcardCertWithAuth wildcard =
          WildcardCertWithAuth.Builder.create(this, "wildcard")
              .domain("example.net")
              .dns(zones("example.net", "example-net"))
              .certificateMap(migration.getMap())
              .build();
      CertificateAlerts.Builder.create(this, "alerts")
          .migrations(List.of(migration, wildcard.getMigration()))
          .notificationChannels(List.of("projects/my-project/notificationChannels/1234"))
          .build();
    }

    private static DnsPublication zones(String domain, String zone) {
      return DnsPublication.cloudDns(CloudDnsOptions.builder().zones(Map.of(domain, zone)).build());
    }
  }

  /** Writes the stack to cdktf.out. */
  public static void main(String[] arguments) {
    App app = new App();
    new ShopStack(app, "shop");
    app.synth();
  }
}
