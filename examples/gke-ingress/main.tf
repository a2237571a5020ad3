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

# The Gateway below gets this address.
resource "google_compute_global_address" "web" {
  name = "web"
}

output "certificate_map_name" {
  description = "Name of the certificate map"
  value       = basename(module.certificates.certificate_map_id)
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
