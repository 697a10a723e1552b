/**
 * Names and policies that workflows, workers and clients share: task queues, ids, search attributes, priorities.
 * No side effects and no environment: workflows import this file.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const NAMESPACE = 'default';

export const TASK_QUEUES = {
  /** Workflows, and activities that plan, read the ledger or talk to the CRM. */
  sync: 'lockstep-sync',
  /** One vendor request an activity; fairness and rate limit per tenant live on this queue. */
  vendor: 'lockstep-vendor',
} as const;

/**
 * Ids are paths, so that a prefix search in the Temporal UI finds a tenant or a kind. For one record search the whole id: `STARTS_WITH`
 * ignores case on the development server (SQLite, server 1.32.0), and the first 15 characters of Salesforce ids can differ by case alone.
 */
export const workflowIds = {
  syncOpportunity: (tenant: string, key: string): string => `${tenant}/opportunity/${key}`,
  /** Carries many of a tenant's records: one at a time runs. */
  syncOpportunities: (tenant: string): string => `${tenant}/opportunities`,
  /** What a schedule starts: `workflow` is its type, which the id spells as its file is called. The schedule has the same id. */
  scheduled: (tenant: string, workflow: string): string =>
    `${tenant}/${workflow.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  /** What reads a shard of the tenants; the schedule has the same id. */
  readTenants: (shard: number): string => `shards/read-tenants/${String(shard).padStart(2, '0')}`,
  recordWaits: (tenant: string, key: string): string => `${tenant}/waits/${key}`,
  rotateApiKey: (tenant: string): string => `${tenant}/rotate-api-key`,
  backfill: (tenant: string): string => `${tenant}/backfill`,
  guardTenant: (tenant: string, group: string): string => `${tenant}/guard/${group}`,
};

export const SEARCH_ATTRIBUTES = {
  tenant: defineSearchAttributeKey('LockstepTenant', SearchAttributeType.KEYWORD),
  crmId: defineSearchAttributeKey('LockstepCrmId', SearchAttributeType.KEYWORD),
  vendorId: defineSearchAttributeKey('LockstepVendorId', SearchAttributeType.KEYWORD),
  syncState: defineSearchAttributeKey('LockstepSyncState', SearchAttributeType.KEYWORD),
} as const;

/**
 * Lower is sooner. What was decided never waits behind what was not, and nothing that was told of a deal alone behind what is done
 * in bulk or was told of together with many others: of these nobody waits for one in particular.
 */
export const PRIORITIES = { write: 1, read: 3, bulkWrite: 4, bulk: 5 } as const;

/** Requests a second a tenant gets on the vendor queue unless its file says otherwise. */
export const DEFAULT_VENDOR_RATE = 5;

/** No write leaves later than this after the observation it rests on. */
export const MAX_OBSERVATION_AGE_MS = 60_000;
