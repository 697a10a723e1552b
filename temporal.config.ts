/**
 * Names and policies that workflows, workers and clients share: task queues, ids, search attributes, priorities. Workflows import this
 * file, so it has no side effects and reads no environment variables.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const NAMESPACE = 'default';

export const TASK_QUEUES = {
  /** Workflows, and activities that plan, read the ledger (Lockstep's database) or call the CRM. */
  sync: 'lockstep-sync',
  /** Activities that send vendor requests, most of them one each. The queue is fair between tenants and limits the rate of each tenant. */
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
  /**
   * The workflow of a tenant's audit, or of one of its streams (regular reads of changed rows). All starts use this id, so only one runs at
   * a time. `workflow`: the type of the workflow. The id ends with the type in lower case with hyphens, like the name of its file.
   */
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
 * Temporal runs tasks with lower numbers first. Writes come before reads, because a decision becomes stale while its write waits. Changes
 * of single records come before bulk work and bursts (many changes that were reported together), because no user waits for one particular
 * record of these.
 */
export const PRIORITIES = { write: 1, read: 3, bulkWrite: 4, bulk: 5 } as const;

/** Vendor requests a second for each tenant, unless its tenant file sets another rate. */
export const DEFAULT_VENDOR_RATE = 5;

/** The longest time, in ms, from an observation to a write based on it. */
export const MAX_OBSERVATION_AGE_MS = 60_000;
