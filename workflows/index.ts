/** The workflow bundle's entry: exports each workflow by its name. */
export { audit } from './audit.ts';
export { backfill } from './backfill.ts';
export { checkMirror } from './check-mirror.ts';
export { checkVendorRecords } from './check-vendor-records.ts';
export { guardTenant } from './guard-tenant.ts';
export { loadOrders } from './load-orders.ts';
export { pollVendor } from './poll-vendor.ts';
export { pullOrders } from './pull-orders.ts';
export { readTenants } from './read-tenants.ts';
export { recordWaits } from './record-waits.ts';
export { refreshCatalog } from './refresh-catalog.ts';
export { refreshPortfolio } from './refresh-portfolio.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export { sweepSalesforce } from './sweep-salesforce.ts';
export { syncOpportunities } from './sync-opportunities.ts';
export { syncOpportunity } from './sync-opportunity.ts';
export { watchOrg } from './watch-org.ts';
