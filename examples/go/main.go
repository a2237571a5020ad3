// A migration of two certificates with CDK Terrain in Go.
package main

import (
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdktn-io/cdktn-provider-google-go/google/v21/provider"
	"github.com/open-constructs/cdk-terrain-go/cdktn"

	cert "example.com/cert-migration/certmigration"
)

func newShopStack(scope constructs.Construct, id string) cdktn.TerraformStack {
	stack := cdktn.NewTerraformStack(scope, jsii.String(id))
	provider.NewGoogleProvider(stack, jsii.String("google"), &provider.GoogleProviderConfig{
		Project: jsii.String("my-project"),
	})
	zone := cdktn.NewTerraformVariable(stack, jsii.String("zone"), &cdktn.TerraformVariableConfig{
		Type:    jsii.String("string"),
		Default: "example-com",
	})
	migration := cert.NewManagedCertMigration(stack, jsii.String("shop"), &cert.ManagedCertMigrationProps{
		Certificates: &[]cert.Certificate{
			cert.Certificate_Managed(&cert.IssuedCertificateOptions{
				Domains: jsii.Strings("shop.example.com", "www.shop.example.com"),
			}),
			cert.Certificate_Managed(&cert.IssuedCertificateOptions{
				Name:    jsii.String("pay"),
				Domains: jsii.Strings("pay.example.com"),
			}),
		},
		Dns: cert.DnsPublication_CloudDns(&cert.CloudDnsOptions{
			Zones: &map[string]interface{}{"example.com": zone.StringValue()},
		}),
		LoadBalancer: cert.LoadBalancer_GlobalExternal(&cert.GlobalExternalOptions{
			NewTargetHttpsProxy: &cert.NewTargetHttpsProxySpec{
				UrlMap:          jsii.String("projects/my-project/global/urlMaps/web"),
				ForwardingRules: &cert.ForwardingRulesSpec{Ipv4Address: jsii.String("203.0.113.7")},
			},
		}),
	})
	wildcard := cert.NewWildcardCertWithAuth(stack, jsii.String("wildcard"), &cert.WildcardCertWithAuthProps{
		Domain: jsii.String("example.net"),
		Dns: cert.DnsPublication_CloudDns(&cert.CloudDnsOptions{
			Zones: &map[string]interface{}{"example.net": "example-net"},
		}),
		CertificateMap: migration.Map(),
	})
	cert.NewCertificateAlerts(stack, jsii.String("alerts"), &cert.CertificateAlertsProps{
		Migrations:           &[]cert.IWatchedMigration{migration, wildcard.Migration()},
		NotificationChannels: jsii.Strings("projects/my-project/notificationChannels/1234"),
	})
	return stack
}

func main() {
	app := cdktn.NewApp(nil)
	newShopStack(app, "shop")
	app.Synth()
}
