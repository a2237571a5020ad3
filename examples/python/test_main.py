"""Tests of the stack, and of what the constructs refuse."""

import json
import re
from typing import Any, Dict, List

import jsii
import pytest
from cdktn import Testing, TerraformStack
from cdktn_provider_google.dns_record_set import DnsRecordSet
from cdktn_provider_google.provider import GoogleProvider
from constructs import Construct
from syrupy.assertion import SnapshotAssertion

from cdktn_google_cert_migration import (
    Certificate,
    DnsPublication,
    Gate,
    IRecordPublisher,
    ManagedCertMigration,
    PublishedRecord,
    RecordToPublish,
)
from main import ShopStack


def synthesize(stack: TerraformStack) -> Dict[str, Any]:
    """Returns the stack as Terraform reads it."""
    written: Dict[str, Any] = json.loads(Testing.synth(stack, True))
    return written


def new_stack() -> TerraformStack:
    """Returns an empty stack with a provider."""
    stack = TerraformStack(Testing.app(), "prod")
    GoogleProvider(stack, "google", project="my-project")
    return stack


def test_serves_each_hostname_by_one_entry() -> None:
    resources = synthesize(ShopStack(Testing.app(), "shop"))["resource"]
    entries = resources["google_certificate_manager_certificate_map_entry"]
    hostnames = sorted(entry["hostname"] for entry in entries.values())
    assert hostnames == [
        "*.example.net",
        "example.net",
        "pay.example.com",
        "shop.example.com",
        "www.shop.example.com",
    ]


def test_is_the_same_in_every_synthesis() -> None:
    first = synthesize(ShopStack(Testing.app(), "shop"))
    assert synthesize(ShopStack(Testing.app(), "shop")) == first


def test_finds_resources_by_their_identity() -> None:
    migration = ShopStack(Testing.app(), "shop").migration
    assert migration.entry("pay.example.com").hostname_input == "pay.example.com"
    assert str(migration.certificate("pay").name_input).startswith("pay-")
    with pytest.raises(Exception, match="unknown map entry .* \\[lookup-name-unknown\\]"):
        migration.entry("other.example.com")


def test_reports_all_mistakes_at_once_with_their_codes() -> None:
    with pytest.raises(Exception) as refused:
        ManagedCertMigration(
            new_stack(),
            "shop",
            certificates=[Certificate.managed(domains=["not a name"]), Certificate.managed(domains=[])],
            dns=DnsPublication.external(),
        )
    codes = re.findall(r"\[([a-z-]+)\]$", str(refused.value), re.MULTILINE)
    assert sorted(codes) == ["certificate-domains-missing", "hostname-bad-character"]


def test_alerts_before_a_certificate_of_either_migration_expires() -> None:
    resources = synthesize(ShopStack(Testing.app(), "shop"))["resource"]
    policies = resources["google_monitoring_alert_policy"].values()
    checks = resources["google_monitoring_uptime_check_config"].values()
    probed = sorted(check["monitored_resource"]["labels"]["host"] for check in checks)
    assert probed == ["example.net", "pay.example.com", "shop.example.com"]
    assert {channel for policy in policies for channel in policy["notification_channels"]} == {
        "projects/my-project/notificationChannels/1234"
    }


def test_is_the_stack_of_the_snapshot(snapshot: SnapshotAssertion) -> None:
    assert synthesize(ShopStack(Testing.app(), "shop"))["resource"] == snapshot


@jsii.implements(IRecordPublisher)
class InPython:
    """Publishes the records with a construct of the caller."""

    def publish(self, scope: Construct, record: RecordToPublish) -> List[PublishedRecord]:
        """Creates one resource for each record set."""
        made = DnsRecordSet(
            scope,
            "record",
            managed_zone="elsewhere",
            name=f"{record.name}.",
            type=record.type,
            ttl=record.ttl_seconds,
            rrdatas=record.data,
        )
        return [PublishedRecord(resource=made)]


def test_lets_a_publisher_in_python_write_the_records() -> None:
    stack = new_stack()
    ManagedCertMigration(
        stack,
        "shop",
        certificates=[Certificate.managed(domains=["example.com"])],
        dns=DnsPublication.custom(InPython()),
        gate=Gate.NONE,
    )
    records = synthesize(stack)["resource"]["google_dns_record_set"]
    assert [record["managed_zone"] for record in records.values()] == ["elsewhere"]
