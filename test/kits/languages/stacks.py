"""Stacks that stacks.ts writes too: one for each migration in the folder of the first argument, and one of constructs."""

import pathlib
import sys
from typing import List

import jsii
import yaml
from cdktn import App, TerraformStack
from cdktn_provider_google.dns_record_set import DnsRecordSet
from cdktn_provider_google.provider import GoogleProvider
from constructs import Construct

from cdktn_google_cert_migration import (
    Certificate,
    CertificateIssuer,
    CertificateMap,
    DnsPublication,
    Gate,
    INaming,
    IRecordPublisher,
    LoadBalancer,
    ManagedCertMigration,
    PrivateKey,
    PublishedRecord,
    RecordToPublish,
    TrafficSpec,
    TrafficTarget,
)


@jsii.implements(IRecordPublisher)
class Elsewhere:
    """Publishes the records in a zone that the migration does not know."""

    def publish(self, scope: Construct, record: RecordToPublish) -> List[PublishedRecord]:
        """Creates one resource for each record set."""
        made = DnsRecordSet(
            scope,
            "record",
            managed_zone=record.closest_zone({"example.info": "elsewhere"}),
            name=f"{record.name}.",
            type=record.type,
            ttl=record.ttl_seconds,
            rrdatas=record.data,
        )
        return [PublishedRecord(resource=made, import_id=f"elsewhere/{record.hostname}./{record.type}")]


@jsii.implements(INaming)
class Acme:
    """Names of an organization."""

    def name(self, kind: str, suggested: str) -> str:
        """Keeps the digest of the suggestion."""
        return f"acme-{suggested[-12:]}"


app = App()


def new_stack(name: str) -> TerraformStack:
    """Returns an empty stack with a provider."""
    stack = TerraformStack(app, name)
    GoogleProvider(stack, "google", project="my-project")
    return stack


for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    ManagedCertMigration.from_spec(new_stack(path.stem), "migration", yaml.safe_load(path.read_text()))

ManagedCertMigration(
    new_stack("constructs"),
    "shop",
    certificates=[
        Certificate.managed(domains=["shop.example.info", "www.example.info"]),
        Certificate.self_managed(
            domains=["pay.example.info"],
            certificate_pem="${var.pay_certificate}",
            private_key=PrivateKey.variable("pay_key", storage="state"),
        ),
        Certificate.private_ca(
            domains=["orders.corp.internal"],
            issuer=CertificateIssuer.ca_pool("projects/my-project/locations/us-east1/caPools/internal", lifetime="21d"),
        ),
        Certificate.existing("projects/my-project/locations/global/certificates/old", domains=["old.example.info"]),
    ],
    dns=DnsPublication.custom(Elsewhere()),
    load_balancer=LoadBalancer.global_external(addresses={"ipv4": ["203.0.113.7"]}),
    existing_certificate_map=CertificateMap.from_id("projects/my-project/locations/global/certificateMaps/web"),
    traffic=TrafficSpec(
        to=TrafficTarget.PREVIOUS,
        previous={
            "shop.example.info": {"a": ["192.0.2.1"]},
            "www.example.info": {"cname": "shop.provider.example"},
        },
        hostnames=["shop.example.info", "www.example.info"],
    ),
    gate=Gate.PRECONDITION,
    naming=Acme(),
)

app.synth()
