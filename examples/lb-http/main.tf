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

module "lb" {
  source  = "terraform-google-modules/lb-http/google"
  version = "~> 12.0"

  name            = "web"
  project         = "my-project"
  ssl             = true
  certificate_map = module.certificates.certificate_map_id

  backends = {
    default = {
      protocol = "HTTP"
      groups   = [{ group = "projects/my-project/zones/europe-west1-b/instanceGroups/web" }]
    }
  }
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
