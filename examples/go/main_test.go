package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/aws/jsii-runtime-go"
	"github.com/open-constructs/cdk-terrain-go/cdktn"

	cert "example.com/cert-migration/certmigration"
)

type synthesized struct {
	Resource map[string]map[string]struct {
		Hostname string `json:"hostname"`
	} `json:"resource"`
}

func synthesize(t *testing.T) synthesized {
	t.Helper()
	var written synthesized
	text := cdktn.Testing_Synth(newShopStack(cdktn.Testing_App(nil), "shop"), jsii.Bool(true))
	if err := json.Unmarshal([]byte(*text), &written); err != nil {
		t.Fatal(err)
	}
	return written
}

func TestServesEachHostnameByOneEntry(t *testing.T) {
	var hostnames []string
	for _, entry := range synthesize(t).Resource["google_certificate_manager_certificate_map_entry"] {
		hostnames = append(hostnames, entry.Hostname)
	}
	slices.Sort(hostnames)
	expected := []string{"*.example.net", "example.net", "pay.example.com", "shop.example.com", "www.shop.example.com"}
	if !reflect.DeepEqual(hostnames, expected) {
		t.Errorf("entries for %v, expected %v", hostnames, expected)
	}
}

func TestReportsAllMistakesAtOnceWithTheirCodes(t *testing.T) {
	defer func() {
		var codes []string
		for _, found := range regexp.MustCompile(`(?m)\[([a-z-]+)\]$`).FindAllStringSubmatch(fmt.Sprint(recover()), -1) {
			codes = append(codes, found[1])
		}
		slices.Sort(codes)
		expected := []string{"certificate-domains-missing", "hostname-bad-character"}
		if !reflect.DeepEqual(codes, expected) {
			t.Errorf("codes %v, expected %v", codes, expected)
		}
	}()
	stack := cdktn.NewTerraformStack(cdktn.Testing_App(nil), jsii.String("prod"))
	cert.NewManagedCertMigration(stack, jsii.String("shop"), &cert.ManagedCertMigrationProps{
		Certificates: &[]cert.Certificate{
			cert.Certificate_Managed(&cert.IssuedCertificateOptions{Domains: jsii.Strings("not a name")}),
			cert.Certificate_Managed(&cert.IssuedCertificateOptions{Domains: jsii.Strings()}),
		},
		Dns: cert.DnsPublication_External(),
	})
}
