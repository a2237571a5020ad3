/**
 * Files of a hand-written stack: a site for each host, with its certificate in a module of its own, by two providers.
 * Nothing of it is made with this library.
 */
export function modulesStack({
  called = "shop",
  gated = true,
}: {
  readonly called?: string;
  readonly gated?: boolean;
}) {
  const depends = gated ? "depends_on = [terraform_data.gate]" : "";
  return {
    "main.tf": `
      terraform {
        required_providers {
          google      = { source = "hashicorp/google" }
          google-beta = { source = "hashicorp/google-beta" }
        }
      }
      provider "google" {
        project = "p1"
      }
      provider "google-beta" {
        project = "p1"
      }
      variable "generation" {
        default = "one"
      }
      module "${called}" {
        source     = "./site"
        for_each   = { a = "a.example.com", "b.c" = "b.example.com" }
        host       = each.value
        generation = var.generation
      }
      ${called === "shop" ? "" : `moved {\n  from = module.shop\n  to = module.${called}\n}\n`}
    `,
    "site/main.tf": `
      terraform {
        required_providers {
          google      = { source = "hashicorp/google" }
          google-beta = { source = "hashicorp/google-beta" }
        }
      }
      variable "host" {}
      variable "generation" {}
      module "certificate" {
        source     = "../certificate"
        count      = 1
        host       = var.host
        generation = var.generation
      }
      module "entry" {
        source         = "../entry"
        host           = var.host
        map            = google_certificate_manager_certificate_map.main.name
        certificate_id = module.certificate[0].id
        ${depends}
      }
      resource "google_certificate_manager_certificate_map" "main" {
        name = "m-\${replace(var.host, ".", "-")}"
      }
      resource "terraform_data" "gate" {
        triggers_replace = [module.certificate[0].id]
        provisioner "local-exec" {
          command = "true"
        }
      }
    `,
    "entry/main.tf": `
      variable "host" {}
      variable "map" {}
      variable "certificate_id" {}
      resource "google_certificate_manager_certificate_map_entry" "root" {
        name         = "e-\${replace(var.host, ".", "-")}"
        map          = var.map
        hostname     = var.host
        certificates = [var.certificate_id]
      }
    `,
    "certificate/main.tf": `
      terraform {
        required_providers {
          google-beta = { source = "hashicorp/google-beta" }
        }
      }
      variable "host" {}
      variable "generation" {}
      locals {
        name = "c-\${var.generation}-\${replace(var.host, ".", "-")}"
      }
      resource "google_certificate_manager_dns_authorization" "it" {
        provider = google-beta
        name     = "a-\${replace(var.host, ".", "-")}"
        domain   = var.host
      }
      resource "google_certificate_manager_certificate" "it" {
        provider = google-beta
        name     = local.name
        managed {
          domains            = [var.host]
          dns_authorizations = [google_certificate_manager_dns_authorization.it.id]
        }
        lifecycle {
          create_before_destroy = true
        }
      }
      output "id" {
        value = google_certificate_manager_certificate.it.id
      }
    `,
  } as const;
}
