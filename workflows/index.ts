/** The workflow bundle's entry: each workflow under its name. */
import { streamWorkflow } from './stream.ts';

export { audit } from './audit.ts';
export { backfill } from './backfill.ts';
export { guardTenant } from './guard-tenant.ts';
export { pollVendor } from './poll-vendor.ts';
export { readTenants } from './read-tenants.ts';
export { recordWaits } from './record-waits.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export { syncOpportunity } from './sync-opportunity.ts';

// Streams that are read, and nothing else; what each of them is, its row in `STREAMS` says.
export const checkMirror = streamWorkflow('checkMirror');
export const checkVendorRecords = streamWorkflow('checkVendorRecords');
export const loadOrders = streamWorkflow('loadOrders');
export const pullOrders = streamWorkflow('pullOrders');
export const refreshCatalog = streamWorkflow('refreshCatalog');
export const refreshPortfolio = streamWorkflow('refreshPortfolio');
export const sweepSalesforce = streamWorkflow('sweepSalesforce');
export const watchOrg = streamWorkflow('watchOrg');
