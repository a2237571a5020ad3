module example.com/shop

go 1.25

require (
	example.com/cert-migration/certmigration v0.1.0
	github.com/aws/constructs-go/constructs/v10 v10.7.2
	github.com/aws/jsii-runtime-go v1.140.0
	github.com/cdktn-io/cdktn-provider-google-go/google/v21 v21.1.0
	github.com/open-constructs/cdk-terrain-go/cdktn v0.24.0
)
