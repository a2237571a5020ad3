import type { MigrationSpec } from "../../../lib/plan";
import { type CheckCase, names, with_ } from "./case";

const channel = (number: number) => `projects/my-project/notificationChannels/${number}`;
const alerts = (
  change: Partial<NonNullable<MigrationSpec["alerts"]>>,
  more: Partial<MigrationSpec> = {},
): MigrationSpec => with_({ alerts: { notificationChannels: [channel(1)], ...change }, ...more });
const many = (count: number): Partial<MigrationSpec> => ({
  certificates: [{ domains: names(Math.min(count, 100)) }, { domains: names(count).slice(100) }].filter(
    ({ domains }) => domains.length > 0,
  ),
});
const ofPay: Partial<MigrationSpec> = {
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.com"] }],
};
const probes = { "*.example.com": "www.example.com" };

export const alertsCases: readonly CheckCase[] = [
  {
    code: "notification-channels-missing",
    refused: with_({ alerts: {} }),
    accepted: alerts({}),
  },
  {
    code: "notification-channels-too-many",
    refused: alerts({ notificationChannels: Array.from({ length: 17 }, (_, index) => channel(index)) }),
    accepted: alerts({ notificationChannels: Array.from({ length: 16 }, (_, index) => channel(index)) }),
  },
  {
    code: "notification-channel-invalid",
    refused: alerts({ notificationChannels: ["ops@example.com"] }),
    accepted: alerts({ notificationChannels: ["${google_monitoring_notification_channel.ops.id}"] }),
  },
  {
    code: "alert-choice-ambiguous",
    refused: alerts({ uptimeChecks: "all", hostnames: ["example.com"] }),
    accepted: alerts({ hostnames: ["example.com"] }),
  },
  {
    code: "alert-hostname-unknown",
    refused: alerts({ hostnames: ["shop.example.org"] }),
    accepted: alerts({ hostnames: ["Example.com."] }),
  },
  {
    code: "alert-probe-invalid",
    refused: alerts({ wildcardProbes: { "*.example.com": "a.www.example.com" } }),
    accepted: alerts({ wildcardProbes: probes }),
  },
  {
    code: "alert-probe-served-itself",
    refused: alerts({ wildcardProbes: { "*.example.com": "pay.example.com" } }, ofPay),
    accepted: alerts({ wildcardProbes: probes }, ofPay),
  },
  {
    code: "alert-hostname-unchecked",
    refused: alerts({ uptimeChecks: "all" }),
    accepted: alerts({ uptimeChecks: "all", wildcardProbes: probes }),
  },
  {
    code: "alert-before-renewal",
    refused: alerts({ daysBeforeExpiry: 30 }),
    accepted: alerts({ daysBeforeExpiry: 29 }),
  },
  {
    code: "alert-checks-above-quota",
    refused: alerts({ uptimeChecks: "all" }, many(101)),
    accepted: alerts({ uptimeChecks: "all" }, many(100)),
  },
  {
    code: "alert-checks-charged",
    refused: alerts({ uptimeChecks: "all", checkIntervalSeconds: 60 }, many(4)),
    accepted: alerts({ uptimeChecks: "all", checkIntervalSeconds: 60 }, many(3)),
  },
];
