/** The workflow bundle's entry. */
export { guardTenant } from './guard-tenant.ts';
export { pollVendor } from './poll-vendor.ts';
export { sweepSalesforce } from './sweep-salesforce.ts';
export { syncOpportunity } from './sync-opportunity.ts';
