"""What the constructs in Python return and refuse, beyond the tests of the example."""

import os
import pathlib
import re
from typing import Any, Callable, Dict, List, Set

import jsii
import pytest
import yaml
from cdktn import Testing, TerraformStack
from cdktn_provider_google.provider import GoogleProvider

from cdktn_google_cert_migration import (
    Certificate,
    CertificateAlerts,
    DnsPublication,
    IRecordPublisher,
    LoadBalancer,
    ManagedCertMigration,
    TrafficSpec,
)

SPECS = sorted(pathlib.Path(os.environ["SPECS"]).iterdir())


def new_stack() -> TerraformStack:
    """Returns an empty stack with a provider."""
    stack = TerraformStack(Testing.app(), "prod")
    GoogleProvider(stack, "google", project="my-project")
    return stack


def codes_of(act: Callable[[], Any]) -> List[str]:
    """Returns the codes of the mistakes that an error lists."""
    with pytest.raises(RuntimeError) as refused:
        act()
    return re.findall(r"\[([a-z-]+)\]$", str(refused.value), re.MULTILINE)


def read_all(value: Any, seen: Set[int]) -> None:
    """Reads every property of a value that the package declares, and of all values inside."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            read_all(each, seen)
    else:
        for part in type(value).__mro__:
            if part.__module__ != "cdktn_google_cert_migration":
                continue
            for name, member in vars(part).items():
                if isinstance(member, property):
                    read_all(getattr(value, name), seen)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_public_property_of_a_migration_can_be_read(path: pathlib.Path) -> None:
    spec = yaml.safe_load(path.read_text())
    migration = ManagedCertMigration.from_spec(new_stack(), "migration", spec)
    read_all(migration, set())
    read_all([DnsPublication.from_spec(spec["dns"]), LoadBalancer.from_spec(spec["loadBalancer"])], set())
    names = [one.get("name") for one in spec["certificates"] if "name" in one]
    assert set(names) <= {one["id"] for one in migration.plan.certificates}


def test_the_plan_has_dicts_where_members_depend_on_the_kind() -> None:
    migration = ManagedCertMigration(
        new_stack(),
        "shop",
        certificates=[Certificate.managed(domains=["shop.example.com"])],
        dns=DnsPublication.external(),
        traffic=TrafficSpec(to="previous", previous={"shop.example.com": {"cname": "shop.provider.example"}}),
        load_balancer=LoadBalancer.global_external(addresses=["203.0.113.7"]),
    )
    [certificate] = migration.plan.certificates
    assert certificate["kind"] == "managed"
    assert certificate["authorizations"] == [{"domain": "shop.example.com"}]
    assert migration.plan.traffic is not None
    assert migration.plan.traffic.previous == {"shop.example.com": {"cname": "shop.provider.example."}}


def spec_with(**changed: Any) -> Dict[str, Any]:
    """Returns a spec without mistakes, with other values of some keys."""
    return {
        "name": "shop",
        "certificates": [{"domains": ["shop.example.com"]}],
        "dns": {"kind": "external"},
        "loadBalancer": {"kind": "globalExternal", "addresses": ["203.0.113.7"]},
        **changed,
    }


MISTAKES = {
    "a kind that does not exist": (
        spec_with(certificates=[{"kind": "manged", "domains": ["shop.example.com"]}]),
        ["value-not-allowed"],
    ),
    "a key of the spec": (spec_with(mustServ=["shop.example.com"]), ["property-unknown"]),
    "a key of a certificate": (
        spec_with(certificates=[{"domains": ["shop.example.com"], "hostname": "shop.example.com"}]),
        ["property-unknown"],
    ),
    "a key in other letters": (
        spec_with(certificates=[{"kind": "existing", "ID": "projects/p/locations/global/certificates/c"}]),
        ["property-unknown", "property-missing"],
    ),
    "a key in snake case": (spec_with(load_balancer={"kind": "globalExternal"}), ["property-unknown"]),
    "two keys at once": (spec_with(gates="wait", mustServ=[]), ["property-unknown", "property-unknown"]),
    "a key of a zone": (
        spec_with(dns={"kind": "cloudDns", "zones": {"example.com": {"name": "web", "projct": "dns"}}}),
        ["property-unknown"],
    ),
    "a key of addresses": (
        spec_with(loadBalancer={"kind": "globalExternal", "addresses": {"ip4": ["203.0.113.7"]}}),
        ["property-unknown"],
    ),
    "a key of previous records": (
        spec_with(traffic={"to": "previous", "previous": {"shop.example.com": {"cnam": "shop.provider.example"}}}),
        ["property-unknown"],
    ),
    "text instead of a list": (spec_with(certificates=[{"domains": "shop.example.com"}]), ["value-wrong-type"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_from_spec_reports(name: str) -> None:
    spec, expected = MISTAKES[name]
    assert sorted(codes_of(lambda: ManagedCertMigration.from_spec(new_stack(), "shop", spec))) == sorted(expected)


def migration_with(**changed: Any) -> Callable[[], Any]:
    """Returns a function that creates a migration, with other values of some props."""
    props = {
        "certificates": [Certificate.managed(domains=["shop.example.com"])],
        "dns": DnsPublication.external(),
        **changed,
    }
    return lambda: ManagedCertMigration(new_stack(), "shop", **props)


def test_props_report_wrong_keys_of_dicts() -> None:
    previous = {"shop.example.com": {"cnam": "shop.provider.example"}}
    zones = {"example.com": {"name": "web", "projct": "dns"}}
    proxy = {"name": "web", "url_map": "web"}
    assert codes_of(migration_with(traffic=TrafficSpec(to="previous", previous=previous))) == ["property-unknown"]
    assert codes_of(migration_with(traffic={"to": "previous", "previous": previous})) == ["property-unknown"]
    assert codes_of(migration_with(dns=DnsPublication.cloud_dns(zones=zones))) == ["property-unknown"]
    balancer = LoadBalancer.global_external(adopt_target_https_proxies=[proxy])
    assert "property-unknown" in codes_of(migration_with(load_balancer=balancer))


def test_alerts_report_a_stack_in_place_of_a_migration() -> None:
    stack = new_stack()
    migrations: List[Any] = [stack]
    assert codes_of(lambda: CertificateAlerts(stack, "alerts", migrations=migrations)) == ["value-wrong-type"]


class WithoutImplements:
    """Has the method of a publisher only."""

    def publish(self, scope: Any, record: Any) -> Any:
        """Is never called."""


@jsii.implements(IRecordPublisher)
class ReturnsDict:
    """Returns no list."""

    def publish(self, scope: Any, record: Any) -> Any:
        """Returns a dict."""
        return {}


# The page on languages says which errors have no code.
WITHOUT_CODE: Dict[str, Callable[[], Any]] = {
    "text in place of a list": lambda: Certificate.managed(domains="shop.example.com"),
    "a tuple in place of a list": lambda: Certificate.managed(domains=("shop.example.com",)),
    "a missing argument": lambda: Certificate.managed(),  # type: ignore[call-arg]
    "an unknown argument": lambda: Certificate.managed(domains=["a.example"], domain="b"),  # type: ignore[call-arg]
    "a function in place of an object": migration_with(naming=lambda kind, suggested: suggested),
    "None for a required value": lambda: Certificate.managed(domains=None),  # type: ignore[arg-type]
    "a zone that is a number": lambda: DnsPublication.cloud_dns(zones=5),  # type: ignore[arg-type]
    "a publisher that does not implement the interface": lambda: DnsPublication.custom(WithoutImplements()),
    "a publisher that returns no list": migration_with(dns=DnsPublication.custom(ReturnsDict())),
    "another class": migration_with(dns=LoadBalancer.global_external()),
}


@pytest.mark.parametrize("name", WITHOUT_CODE)
def test_python_or_jsii_refuses(name: str) -> None:
    with pytest.raises(Exception) as refused:
        WITHOUT_CODE[name]()
    assert not re.search(r"\[[a-z-]+\]$", str(refused.value), re.MULTILINE)
