/** The workflow bundle's entry. */
export { checkVendorRecords } from './check-vendor-records.ts';
export { guardTenant } from './guard-tenant.ts';
export { pollVendor } from './poll-vendor.ts';
export { sweepSalesforce } from './sweep-salesforce.ts';
export { syncOpportunity } from './sync-opportunity.ts';
