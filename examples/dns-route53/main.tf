terraform {
  required_version = ">= 1.7" # for_each in import blocks
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.25"
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

provider "aws" {
  region = "eu-central-1"
}

locals {
  # Ids of the hosted zones by their DNS names.
  zones = {
    "example.com" = "Z0123456789ABCDEFGHIJ"
    "example.net" = "Z9876543210ABCDEFGHIJ"
  }
  # Two maps: a common one would be a cycle, because address records wait for the certificates.
  authorization_zones = {
    for key, record in module.certificates.authorization_records :
    key => one([for domain, id in local.zones : id if endswith(".${record.hostname}", ".${domain}")])
  }
  traffic_zones = {
    for key, record in module.certificates.traffic_records :
    key => one([for domain, id in local.zones : id if endswith(".${record.hostname}", ".${domain}")])
  }
}

module "certificates" {
  source = "./certificates"
  # Certificates and their gates wait for these records.
  published_records = aws_route53_record.authorization
}

resource "aws_route53_record" "authorization" {
  for_each = module.certificates.authorization_records
  zone_id  = local.authorization_zones[each.key]
  name     = each.value.name
  type     = each.value.type
  ttl      = each.value.ttl
  records  = each.value.data
}

resource "aws_route53_record" "address" {
  for_each = { for key, record in module.certificates.traffic_records : key => record if record.type != "CNAME" }
  zone_id  = local.traffic_zones[each.key]
  name     = each.value.name
  type     = each.value.type
  ttl      = each.value.ttl
  records  = each.value.data
}

resource "aws_route53_record" "alias" {
  for_each   = { for key, record in module.certificates.traffic_records : key => record if record.type == "CNAME" }
  zone_id    = local.traffic_zones[each.key]
  name       = each.value.name
  type       = each.value.type
  ttl        = each.value.ttl
  records    = each.value.data
  depends_on = [aws_route53_record.address] # the target of an alias exists first
}

import {
  for_each = {
    for key, record in module.certificates.traffic_records : key => record if record.exists && record.type != "CNAME"
  }
  to = aws_route53_record.address[each.key]
  id = "${local.traffic_zones[each.key]}_${each.value.name}_${each.value.type}"
}

import {
  for_each = {
    for key, record in module.certificates.traffic_records : key => record if record.exists && record.type == "CNAME"
  }
  to = aws_route53_record.alias[each.key]
  id = "${local.traffic_zones[each.key]}_${each.value.name}_${each.value.type}"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
