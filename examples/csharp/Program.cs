// A migration of two certificates with CDK Terrain in C#.
using System.Collections.Generic;
using Constructs;
using Example.CertMigration;
using Io.Cdktn;
using Io.Cdktn.Providers.Google.Provider;

var app = new App();
_ = new ShopStack(app, "shop");
app.Synth();

/// <summary>Certificates, a map, a load balancer and alerts for shop.example.com and names below example.net.</summary>
internal sealed class ShopStack : TerraformStack
{
    internal ShopStack(Construct scope, string id) : base(scope, id)
    {
        _ = new GoogleProvider(this, "google", new GoogleProviderConfig { Project = "my-project" });
        var zone = new TerraformVariable(this, "zone", new TerraformVariableConfig
        {
            Type = "string",
            Default = "example-com",
        });
        var migration = new ManagedCertMigration(this, "shop", new ManagedCertMigrationProps
        {
            Certificates = new[]
            {
                Certificate.Managed(new IssuedCertificateOptions
                {
                    Domains = new[] { "shop.example.com", "www.shop.example.com" },
                }),
                Certificate.Managed(new IssuedCertificateOptions
                {
                    Name = "pay",
                    Domains = new[] { "pay.example.com" },
                }),
            },
            Dns = Zones("example.com", zone.StringValue),
            LoadBalancer = LoadBalancer.GlobalExternal(new GlobalExternalOptions
            {
                NewTargetHttpsProxy = new NewTargetHttpsProxySpec
                {
                    UrlMap = "projects/my-project/global/urlMaps/web",
                    ForwardingRules = new ForwardingRulesSpec { Ipv4Address = "203.0.113.7" },
                },
            }),
        });
        var wildcard = new WildcardCertWithAuth(this, "wildcard", new WildcardCertWithAuthProps
        {
            Domain = "example.net",
            Dns = Zones("example.net", "example-net"),
            CertificateMap = migration.Map,
        });
        _ = new CertificateAlerts(this, "alerts", new CertificateAlertsProps
        {
            Migrations = new IWatchedMigration[] { migration, wildcard.Migration },
            NotificationChannels = new[] { "projects/my-project/notificationChannels/1234" },
        });
    }

    private static DnsPublication Zones(string domain, string zone) =>
        DnsPublication.CloudDns(new CloudDnsOptions { Zones = new Dictionary<string, object> { [domain] = zone } });
}
