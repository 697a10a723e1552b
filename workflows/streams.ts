import { streamWorkflow } from './stream.ts';

// Workflows that only read one stream each. `STREAMS` describes the streams.

/** Finds users' edits of mirrored rows and requests that the rows be restored. */
export const checkMirror = streamWorkflow('checkMirror');
/** Checks with one search in each run whether the vendor still shows the linked records. */
export const checkVendorRecords = streamWorkflow('checkVendorRecords');
/** Answers sales persons' searches of orders, and links the orders that they ticked. */
export const findOrders = streamWorkflow('findOrders');
/** Computes how future prices change coming renewals, writes the results to the CRM, and creates and updates renewal opportunities. */
export const followRenewals = streamWorkflow('followRenewals');
/** Notifies the owners of deals of the vendor's answers. */
export const notifyOwners = streamWorkflow('notifyOwners');
/** Reads past orders by creation date until all are loaded. */
export const loadOrders = streamWorkflow('loadOrders');
/** Mirrors the vendor's orders that changed since the cursor into the CRM. */
export const pullOrders = streamWorkflow('pullOrders');
/** Mirrors the catalog of products and prices into the CRM when a refresh is due. */
export const refreshCatalog = streamWorkflow('refreshCatalog');
/** Mirrors the offers of the vendor's portfolio into the CRM when a refresh is due. */
export const refreshPortfolio = streamWorkflow('refreshPortfolio');
/** Wakes opportunities that changed in the CRM since the cursor, to find changes whose messages were lost. */
export const sweepSalesforce = streamWorkflow('sweepSalesforce');
/** Stores how the org's description of mapped fields changed, and where it does not fit the mapping. */
export const watchOrg = streamWorkflow('watchOrg');
