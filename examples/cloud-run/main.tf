terraform {
  required_version = ">= 1.5"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }
}

provider "google" {
  project = "my-project"
  region  = "europe-west1"
}

module "certificates" {
  source = "./certificates"
}

resource "google_compute_region_network_endpoint_group" "shop" {
  name                  = "shop"
  region                = "europe-west1"
  network_endpoint_type = "SERVERLESS"
  cloud_run {
    service = "shop"
  }
}

resource "google_compute_backend_service" "shop" {
  name                  = "shop"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  backend {
    group = google_compute_region_network_endpoint_group.shop.id
  }
}

resource "google_compute_url_map" "shop" {
  name            = "shop"
  default_service = google_compute_backend_service.shop.id
}

resource "google_compute_target_https_proxy" "shop" {
  name            = "shop"
  url_map         = google_compute_url_map.shop.id
  certificate_map = "//certificatemanager.googleapis.com/${module.certificates.certificate_map_id}"
}

resource "google_compute_global_address" "shop" {
  name = "shop"
}

resource "google_compute_global_forwarding_rule" "shop" {
  name                  = "shop"
  target                = google_compute_target_https_proxy.shop.id
  ip_address            = google_compute_global_address.shop.address
  port_range            = "443"
  load_balancing_scheme = "EXTERNAL_MANAGED"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
