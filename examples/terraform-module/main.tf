terraform {
  required_version = ">= 1.5"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }
  backend "gcs" {
    bucket = "my-project-terraform"
    prefix = "cert-migration"
  }
}

provider "google" {
  project = "my-project"
}

module "certificates" {
  source = "./certificates"
}

resource "google_compute_target_https_proxy" "web" {
  name            = "web"
  url_map         = "shop"
  certificate_map = "//certificatemanager.googleapis.com/${module.certificates.certificate_map_id}"
}

resource "google_compute_global_forwarding_rule" "web" {
  name                  = "web"
  target                = google_compute_target_https_proxy.web.id
  ip_address            = "203.0.113.7"
  port_range            = "443"
  load_balancing_scheme = "EXTERNAL_MANAGED"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}

output "records_to_publish" {
  description = "CNAME records to publish at another DNS provider"
  value       = module.certificates.records_to_publish
}
