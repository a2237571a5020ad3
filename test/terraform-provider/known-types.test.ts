import { openKnownTypes } from "../../lib/terraform-provider";

const known = openKnownTypes();

test.each([
  ["google_certificate_manager_certificate", "cloud"],
  ["google_dns_record_set", "cloud"],
  ["google_compute_region_target_https_proxy", "cloud"],
  ["google_project_service", "cloud"],
  ["google_logging_metric", "kept"],
  ["google_monitoring_alert_policy", "cloud"],
  ["google_monitoring_notification_channel", "kept"],
  ["google_logging_organization_sink", "kept"],
  ["google_compute_security_policy", "bindings"],
  ["google_compute_region_network_endpoint_group", "bindings"],
  ["google_no_such", "unknown"],
  ["google_../provider", "unknown"],
  ["google_provider", "unknown"],
  ["aws_route53_record", "unknown"],
])("%s is of the kind %s", (type, standing) => {
  expect(known.resource(type)).toBe(standing);
});

test.each([
  ["google_dns_managed_zone", true],
  ["google_client_config", true],
  ["google_compute_image", false],
])("data source %s is read: %s", (type, isRead) => {
  expect(known.hasDataSource(type)).toBe(isRead);
});
