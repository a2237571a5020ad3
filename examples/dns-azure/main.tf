terraform {
  required_version = ">= 1.7" # for_each in import blocks
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.55"
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

provider "azurerm" {
  subscription_id = "00000000-0000-0000-0000-000000000000"
  features {}
}

locals {
  resource_group = "dns"
  zone           = "example.com"
  zone_id        = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/dns/providers/Microsoft.Network/dnsZones/example.com"

  # Names relative to the zone.
  traffic_names = {
    for key, record in module.certificates.traffic_records :
    key => record.name == local.zone ? "@" : trimsuffix(record.name, ".${local.zone}")
  }
}

module "certificates" {
  source = "./certificates"
  # Certificates and their gates wait for these records.
  published_records = azurerm_dns_cname_record.authorization
}

resource "azurerm_dns_cname_record" "authorization" {
  for_each            = module.certificates.authorization_records
  resource_group_name = local.resource_group
  zone_name           = local.zone
  name                = trimsuffix(each.value.name, ".${local.zone}")
  ttl                 = each.value.ttl
  record              = each.value.data[0]
}

resource "azurerm_dns_a_record" "address" {
  for_each            = { for key, record in module.certificates.traffic_records : key => record if record.type == "A" }
  resource_group_name = local.resource_group
  zone_name           = local.zone
  name                = local.traffic_names[each.key]
  ttl                 = each.value.ttl
  records             = each.value.data
}

resource "azurerm_dns_aaaa_record" "address" {
  for_each            = { for key, record in module.certificates.traffic_records : key => record if record.type == "AAAA" }
  resource_group_name = local.resource_group
  zone_name           = local.zone
  name                = local.traffic_names[each.key]
  ttl                 = each.value.ttl
  records             = each.value.data
}

resource "azurerm_dns_cname_record" "alias" {
  for_each            = { for key, record in module.certificates.traffic_records : key => record if record.type == "CNAME" }
  resource_group_name = local.resource_group
  zone_name           = local.zone
  name                = local.traffic_names[each.key]
  ttl                 = each.value.ttl
  record              = each.value.data[0]
  # The target of an alias exists first.
  depends_on = [azurerm_dns_a_record.address, azurerm_dns_aaaa_record.address]
}

import {
  for_each = {
    for key, record in module.certificates.traffic_records : key => record if record.exists && record.type == "A"
  }
  to = azurerm_dns_a_record.address[each.key]
  id = "${local.zone_id}/A/${local.traffic_names[each.key]}"
}

import {
  for_each = {
    for key, record in module.certificates.traffic_records : key => record if record.exists && record.type == "AAAA"
  }
  to = azurerm_dns_aaaa_record.address[each.key]
  id = "${local.zone_id}/AAAA/${local.traffic_names[each.key]}"
}

import {
  for_each = {
    for key, record in module.certificates.traffic_records : key => record if record.exists && record.type == "CNAME"
  }
  to = azurerm_dns_cname_record.alias[each.key]
  id = "${local.zone_id}/CNAME/${local.traffic_names[each.key]}"
}

output "cert_migration" {
  description = "What the migration made, for the cert-migration command"
  value       = module.certificates.cert_migration
}
