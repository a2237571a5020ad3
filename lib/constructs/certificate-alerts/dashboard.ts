import { checkMetrics, expiryFilter } from "./texts";

const columns = 48;
const tile = { width: columns / 2, height: 16 };

/**
 * Returns a dashboard as JSON: days until the expiry of each checked hostname, checks that passed, and the expiry log.
 * It shows all uptime checks of the project, because a filter can't contain hundreds of ids.
 *
 * @see https://cloud.google.com/monitoring/api/ref_v3/rest/v1/projects.dashboards
 */
export function dashboardJson(displayName: string, daysBeforeExpiry: number): string {
  const byHost = { groupByFields: ["resource.label.host"] };
  return JSON.stringify({
    displayName,
    mosaicLayout: {
      columns,
      tiles: [
        {
          ...tile,
          widget: chart(
            "Days until certificates expire",
            "daysLeft",
            {
              perSeriesAligner: "ALIGN_NEXT_OLDER",
              crossSeriesReducer: "REDUCE_MIN",
              ...byHost,
            },
            daysBeforeExpiry,
          ),
        },
        {
          ...tile,
          xPos: tile.width,
          widget: chart("Share of passed checks", "passed", {
            perSeriesAligner: "ALIGN_FRACTION_TRUE",
            crossSeriesReducer: "REDUCE_MEAN",
            ...byHost,
          }),
        },
        {
          width: columns,
          height: tile.height,
          yPos: tile.height,
          widget: {
            title: "Certificates near their end, and expired ones",
            logsPanel: { filter: `${expiryFilter("close-to-expiry")}\nOR ${expiryFilter("expired")}` },
          },
        },
      ],
    },
  });
}

function chart(title: string, metric: keyof typeof checkMetrics, aggregation: object, threshold?: number): object {
  const filter = `metric.type="${checkMetrics[metric]}" resource.type="uptime_url"`;
  const timeSeriesFilter = { filter, aggregation: { alignmentPeriod: "1200s", ...aggregation } };
  return {
    title,
    xyChart: {
      dataSets: [{ plotType: "LINE", targetAxis: "Y1", timeSeriesQuery: { timeSeriesFilter } }],
      ...(threshold === undefined ? {} : { thresholds: [{ value: threshold }] }),
      yAxis: { scale: "LINEAR" },
    },
  };
}
