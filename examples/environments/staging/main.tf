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
  project = "my-staging"
}

module "certificates" {
  source      = "./certificates"
  project     = "my-staging"
  environment = "staging"
  zone        = "staging-example-com"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
  sensitive   = true
}
