import type { Org } from '../org.ts';
import type { ApiAnswer, ApiRequest } from './route.ts';

/** Allocations of a Developer Edition org that the simulator never uses, by the names of the REST guide's "Limits". */
const UNUSED: Readonly<Record<string, number>> = {
  AnalyticsExternalDataSizeMB: 40_960,
  ConcurrentAsyncGetReportInstances: 200,
  ConcurrentEinsteinDataInsightsStoryCreation: 5,
  ConcurrentEinsteinDiscoveryStoryCreation: 2,
  ConcurrentSyncReportRuns: 20,
  DailyAnalyticsDataflowJobExecutions: 60,
  DailyAnalyticsUploadedFilesSizeMB: 51_200,
  DailyAsyncApexExecutions: 250_000,
  DailyAsyncApexTests: 500,
  DailyBulkV2QueryFileStorageMB: 976_562,
  DailyDeliveredPlatformEvents: 10_000,
  DailyDurableGenericStreamingApiEvents: 10_000,
  DailyDurableStreamingApiEvents: 10_000,
  DailyEinsteinDataInsightsStoryCreation: 1_000,
  DailyEinsteinDiscoveryOptimizationJobRuns: 0,
  DailyEinsteinDiscoveryPredictAPICalls: 50_000,
  DailyEinsteinDiscoveryPredictionsByCDC: 500_000,
  DailyEinsteinDiscoveryStoryCreation: 100,
  DailyFunctionsApiCallLimit: 235_000,
  DailyGenericStreamingApiEvents: 10_000,
  DailyStandardVolumePlatformEvents: 10_000,
  DailyStreamingApiEvents: 10_000,
  DailyWorkflowEmails: 75,
  DurableStreamingApiConcurrentClients: 20,
  FileStorageMB: 20,
  HourlyAsyncReportRuns: 1_200,
  HourlyDashboardRefreshes: 200,
  HourlyDashboardResults: 5_000,
  HourlyDashboardStatuses: 999_999_999,
  HourlyLongTermIdMapping: 100_000,
  HourlyManagedContentPublicRequests: 50_000,
  HourlyODataCallout: 20_000,
  HourlyPublishedPlatformEvents: 50_000,
  HourlyPublishedStandardVolumePlatformEvents: 1_000,
  HourlyShortTermIdMapping: 100_000,
  HourlySyncReportRuns: 500,
  HourlyTimeBasedWorkflow: 1_000,
  MassEmail: 10,
  MonthlyEinsteinDiscoveryStoryCreation: 500,
  MonthlyPlatformEventsUsageEntitlement: 0,
  Package2VersionCreates: 6,
  Package2VersionCreatesWithoutValidation: 500,
  PermissionSets: 1_500,
  PrivateConnectOutboundCalloutHourlyLimitMB: 0,
  SingleEmail: 15,
  StreamingApiConcurrentClients: 20,
};

const DAILY_BULK_BATCHES = 15_000;
const DAILY_QUERY_JOBS = 10_000;
const DATA_STORAGE_MB = 1024;
/** How many KB of storage a row counts for: "Most records count as 2 KB". */
const ROW_KB = 2;

/** `/limits`: real figures for limits that the simulator counts, and unused allocations for the others. */
export function readLimits(org: Org): ApiAnswer {
  const { limit, remaining } = org.quota.peek();
  const rows = org.store.schema.objects.reduce((sum, { name }) => sum + org.store.count(name), 0);
  const used = (max: number, count: number) => ({ Max: max, Remaining: Math.max(0, max - count) });
  const unused = Object.entries(UNUSED).map(([name, max]) => [name, used(max, 0)]);
  return {
    status: 200,
    body: {
      ...Object.fromEntries(unused),
      DailyApiRequests: { Max: limit, Remaining: remaining },
      DailyBulkApiBatches: used(DAILY_BULK_BATCHES, org.bulk.ofKind('ingest').length),
      DailyBulkV2QueryJobs: used(DAILY_QUERY_JOBS, org.bulk.ofKind('query').length),
      DataStorageMB: used(DATA_STORAGE_MB, Math.ceil((rows * ROW_KB) / 1024)),
    },
  };
}

/** `/limits/recordCount`: the number of rows that are not deleted, of the named objects or of all (REST guide, "Record Count"). */
export function readRecordCounts(org: Org, { query }: ApiRequest): ApiAnswer {
  const { schema } = org.store;
  const named = query.get('sObjects');
  const objects =
    named === null ? schema.objects : named.split(',').flatMap((name) => schema.object(name.trim()) ?? []);
  const sObjects = objects.map(({ name }) => {
    let count = 0;
    for (const row of org.store.rows(name)) if (row['IsDeleted'] !== true) count += 1;
    return { count, name };
  });
  return { status: 200, body: { sObjects } };
}
