/** The workflow bundle's entry: exports each workflow by its name. */
export { audit } from './audit.ts';
export { backfill } from './backfill.ts';
export { guardTenant } from './guard-tenant.ts';
export { pollVendor } from './poll-vendor.ts';
export { readTenants } from './read-tenants.ts';
export { recordWaits } from './record-waits.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export * from './streams.ts';
export { syncOpportunities } from './sync-opportunities.ts';
export { syncOpportunity } from './sync-opportunity.ts';
export { undo } from './undo.ts';
