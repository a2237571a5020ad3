terraform {
  required_version = ">= 1.7" # for_each in import blocks
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "~> 5.14"
    }
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }
}

provider "google" {
  project = "my-project"
}

provider "cloudflare" {} # the token is in CLOUDFLARE_API_TOKEN

locals {
  zone_id = "0123456789abcdef0123456789abcdef"

  # Ids of the records before the migration, by the keys of the resources: the API of Cloudflare lists them.
  address_ids = { "example.com A 0" = "11111111111111111111111111111111" }
  alias_ids   = { "www.example.com CNAME" = "22222222222222222222222222222222" }
}

module "certificates" {
  source = "./certificates"
  # Certificates and their gates wait for these records.
  published_records = cloudflare_dns_record.authorization
}

resource "cloudflare_dns_record" "authorization" {
  for_each = module.certificates.authorization_records
  zone_id  = local.zone_id
  name     = each.value.name
  type     = each.value.type
  ttl      = each.value.ttl
  content  = each.value.data[0]
  proxied  = false # Cloudflare's proxy would hide the CNAME record from the CA
}

resource "cloudflare_dns_record" "address" {
  # Cloudflare has a resource for each value of a record set.
  for_each = merge([
    for key, record in module.certificates.traffic_records : {
      for index, content in record.data : "${key} ${index}" => merge(record, { content = content })
    } if record.type != "CNAME"
  ]...)
  zone_id = local.zone_id
  name    = each.value.name
  type    = each.value.type
  ttl     = each.value.ttl
  content = each.value.content
  proxied = false
}

resource "cloudflare_dns_record" "alias" {
  for_each   = { for key, record in module.certificates.traffic_records : key => record if record.type == "CNAME" }
  zone_id    = local.zone_id
  name       = each.value.name
  type       = each.value.type
  ttl        = each.value.ttl
  content    = each.value.data[0]
  proxied    = false
  depends_on = [cloudflare_dns_record.address] # the target of an alias exists first
}

import {
  for_each = local.address_ids
  to       = cloudflare_dns_record.address[each.key]
  id       = "${local.zone_id}/${each.value}"
}

import {
  for_each = local.alias_ids
  to       = cloudflare_dns_record.alias[each.key]
  id       = "${local.zone_id}/${each.value}"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
