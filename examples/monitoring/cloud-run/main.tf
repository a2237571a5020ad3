# Monitors the certificates of a migration once a day, as a Cloud Run job with two tasks. The image has the package and
# migration.yaml (see Dockerfile and docs/operations.md#monitoring). A failed execution is the alert: exit code 4.
terraform {
  required_version = ">= 1.5"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 6.50.0, < 9.0.0"
    }
  }
}

variable "project" {
  description = "Project of the certificates and of the job"
  type        = string
  nullable    = false
}

variable "region" {
  description = "Region of the job"
  type        = string
  default     = "europe-west1"
  nullable    = false
}

variable "image" {
  description = "Image with the package and /workspace/migration.yaml"
  type        = string
  nullable    = false
}

provider "google" {
  project = var.project
  region  = var.region
}

# Grant it the role that docs/permissions.md lists for monitor.
resource "google_service_account" "monitor" {
  account_id   = "cert-migration-monitor"
  display_name = "Monitor of certificates"
}

resource "google_cloud_run_v2_job" "monitor" {
  name     = "cert-migration-monitor"
  location = var.region

  template {
    # Each task monitors its part of the hostnames.
    task_count  = 2
    parallelism = 2

    template {
      service_account = google_service_account.monitor.email
      max_retries     = 1
      timeout         = "1800s"

      containers {
        image = var.image
        args  = ["monitor", "--spec", "/workspace/migration.yaml", "--project", var.project, "--shard", "auto"]
      }
    }
  }
}

resource "google_service_account" "scheduler" {
  account_id   = "cert-migration-scheduler"
  display_name = "Starts the monitor of certificates"
}

resource "google_cloud_run_v2_job_iam_member" "scheduler" {
  name     = google_cloud_run_v2_job.monitor.name
  location = var.region
  role     = "roles/run.invoker"
  member   = "serviceAccount:${google_service_account.scheduler.email}"
}

resource "google_cloud_scheduler_job" "daily" {
  name      = "cert-migration-monitor"
  region    = var.region
  schedule  = "17 6 * * *"
  time_zone = "Etc/UTC"

  http_target {
    http_method = "POST"
    uri         = "https://run.googleapis.com/v2/${google_cloud_run_v2_job.monitor.id}:run"

    oauth_token {
      service_account_email = google_service_account.scheduler.email
    }
  }
}
