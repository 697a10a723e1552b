/**
 * Names and policies that workflows, workers and clients share: task queues, ids, search attributes, priorities. Free of side effects and
 * environment, because workflows import this file.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const NAMESPACE = 'default';

export const TASK_QUEUES = {
  /** Workflows, and activities that plan, read the ledger or call the CRM. */
  sync: 'lockstep-sync',
  /** Activities with one vendor request each. The queue is fair between tenants and limits the rate of each. */
  vendor: 'lockstep-vendor',
} as const;

/**
 * Ids are paths, so that a prefix search in the Temporal UI finds a tenant or a kind. To find one record, search for its whole id:
 * `STARTS_WITH` ignores case on the development server (SQLite, server 1.32.0), and the first 15 characters of Salesforce ids can differ by
 * case alone.
 */
export const workflowIds = {
  syncOpportunity: (tenant: string, key: string): string => `${tenant}/opportunity/${key}`,
  /** The workflow of a tenant's lane, which syncs many records; one run at a time. */
  syncOpportunities: (tenant: string): string => `${tenant}/opportunities`,
  /** A workflow that a schedule starts. `workflow` is its type. The id contains the name of its file. The schedule has the same id. */
  scheduled: (tenant: string, workflow: string): string =>
    `${tenant}/${workflow.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  /** The workflow that reads the streams of a shard, which is a group of tenants. Its schedule has the same id. */
  readTenants: (shard: number): string => `shards/read-tenants/${String(shard).padStart(2, '0')}`,
  recordWaits: (tenant: string, key: string): string => `${tenant}/waits/${key}`,
  rotateApiKey: (tenant: string): string => `${tenant}/rotate-api-key`,
  backfill: (tenant: string): string => `${tenant}/backfill`,
  undo: (tenant: string): string => `${tenant}/undo`,
  guardTenant: (tenant: string, group: string): string => `${tenant}/guard/${group}`,
};

export const SEARCH_ATTRIBUTES = {
  tenant: defineSearchAttributeKey('LockstepTenant', SearchAttributeType.KEYWORD),
  crmId: defineSearchAttributeKey('LockstepCrmId', SearchAttributeType.KEYWORD),
  vendorId: defineSearchAttributeKey('LockstepVendorId', SearchAttributeType.KEYWORD),
  syncState: defineSearchAttributeKey('LockstepSyncState', SearchAttributeType.KEYWORD),
} as const;

/**
 * Lower numbers run first. Writes precede reads, so that decisions do not become stale. Lone changes precede bulk work and bursts, because
 * no user waits for a particular record of these.
 */
export const PRIORITIES = { write: 1, read: 3, bulkWrite: 4, bulk: 5 } as const;

/** Vendor requests a second for each tenant, unless its tenant file sets another rate. */
export const DEFAULT_VENDOR_RATE = 5;

/** The longest time, in ms, from an observation to a write based on it. */
export const MAX_OBSERVATION_AGE_MS = 60_000;
