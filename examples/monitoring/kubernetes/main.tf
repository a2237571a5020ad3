# Monitors the certificates of a migration every hour, as an indexed CronJob of Kubernetes with two pods. The image has
# the package; migration.yaml is in a config map. The service account gets its rights by Workload Identity.
terraform {
  required_version = ">= 1.5"
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 2.38"
    }
  }
}

variable "namespace" {
  description = "Namespace of the CronJob"
  type        = string
  default     = "monitoring"
  nullable    = false
}

variable "image" {
  description = "Image with the package"
  type        = string
  nullable    = false
}

variable "project" {
  description = "Project of the certificates"
  type        = string
  nullable    = false
}

variable "service_account" {
  description = "Kubernetes service account that stands for a Google service account with the role of docs/permissions.md for monitor"
  type        = string
  nullable    = false
}

resource "kubernetes_config_map_v1" "migration" {
  metadata {
    name      = "cert-migration"
    namespace = var.namespace
  }

  data = {
    "migration.yaml" = file("${path.module}/migration.yaml")
  }
}

resource "kubernetes_cron_job_v1" "monitor" {
  metadata {
    name      = "cert-migration-monitor"
    namespace = var.namespace
  }

  spec {
    schedule           = "17 * * * *"
    concurrency_policy = "Forbid"

    job_template {
      metadata {}

      spec {
        completions     = 2
        parallelism     = 2
        completion_mode = "Indexed"

        # Each part is tried twice, whatever the other found. The provider sends 0 for limits that are left out, and the
        # first part with a finding would then end the job with all others.
        backoff_limit_per_index = 1
        max_failed_indexes      = 2
        backoff_limit           = 4

        template {
          metadata {}

          spec {
            service_account_name = var.service_account
            restart_policy       = "Never"

            container {
              name  = "monitor"
              image = var.image
              # The index of the pod is in JOB_COMPLETION_INDEX.
              args = ["monitor", "--spec", "/migration/migration.yaml", "--project", var.project, "--shard", "auto/2"]

              volume_mount {
                name       = "migration"
                mount_path = "/migration"
                read_only  = true
              }
            }

            volume {
              name = "migration"

              config_map {
                name = kubernetes_config_map_v1.migration.metadata[0].name
              }
            }
          }
        }
      }
    }
  }
}
