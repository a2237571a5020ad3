"""A migration of two certificates with CDK Terrain in Python."""

from cdktn import App, TerraformStack, TerraformVariable
from cdktn_provider_google.provider import GoogleProvider
from constructs import Construct

from cdktn_google_cert_migration import (
    Certificate,
    CertificateAlerts,
    DnsPublication,
    ForwardingRulesSpec,
    LoadBalancer,
    ManagedCertMigration,
    NewTargetHttpsProxySpec,
    WildcardCertWithAuth,
)


class ShopStack(TerraformStack):
    """Certificates, a map, a load balancer and alerts for shop.example.com and all names below example.net."""

    def __init__(self, scope: Construct, stack_id: str) -> None:
        super().__init__(scope, stack_id)
        GoogleProvider(self, "google", project="my-project")
        zone = TerraformVariable(self, "zone", type="string", default="example-com")
        self.migration = ManagedCertMigration(
            self,
            "shop",
            certificates=[
                Certificate.managed(domains=["shop.example.com", "www.shop.example.com"]),
                Certificate.managed(name="pay", domains=["pay.example.com"]),
            ],
            dns=DnsPublication.cloud_dns(zones={"example.com": zone.string_value}),
            load_balancer=LoadBalancer.global_external(
                new_target_https_proxy=NewTargetHttpsProxySpec(
                    url_map="projects/my-project/global/urlMaps/web",
                    forwarding_rules=ForwardingRulesSpec(ipv4_address="203.0.113.7"),
                ),
            ),
        )
        wildcard = WildcardCertWithAuth(
            self,
            "wildcard",
            domain="example.net",
            dns=DnsPublication.cloud_dns(zones={"example.net": "example-net"}),
            certificate_map=self.migration.map,
        )
        self.alerts = CertificateAlerts(
            self,
            "alerts",
            migrations=[self.migration, wildcard.migration],
            notification_channels=["projects/my-project/notificationChannels/1234"],
        )


if __name__ == "__main__":
    app = App()
    ShopStack(app, "shop")
    app.synth()
