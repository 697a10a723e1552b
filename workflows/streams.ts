import { streamWorkflow } from './stream.ts';

// Each of these workflows only reads one stream (a regular read of changed rows). `STREAMS` describes the streams.

/** Finds users' edits of rows that are copied from the vendor, so that these rows are written again. */
export const checkMirror = streamWorkflow('checkMirror');
/** Checks whether the vendor still has the linked records: in each run, one search for some of them. */
export const checkVendorRecords = streamWorkflow('checkVendorRecords');
/** Answers sales persons' searches for orders, and links the found orders that they ticked. */
export const findOrders = streamWorkflow('findOrders');
/**
 * Computes how future prices change coming renewals, and writes the results to the CRM. Creates and updates opportunities for renewals, if
 * the tenant file asks for it.
 */
export const followRenewals = streamWorkflow('followRenewals');
/** Notifies the owners of deals of the vendor's answers, such as an acceptance. */
export const notifyOwners = streamWorkflow('notifyOwners');
/** The first load of orders (the orders from before the tenant was connected): reads them by creation date until all are loaded. */
export const loadOrders = streamWorkflow('loadOrders');
/** Copies the vendor's orders that changed since the last read (the cursor's position) into the CRM. */
export const pullOrders = streamWorkflow('pullOrders');
/** Copies the vendor's catalog of products and prices into the CRM when a refresh is due. */
export const refreshCatalog = streamWorkflow('refreshCatalog');
/** Copies the offers of the vendor's portfolio into the CRM when a refresh is due. */
export const refreshPortfolio = streamWorkflow('refreshPortfolio');
/**
 * Finds opportunities that changed in the CRM since the last read (the cursor's position), and wakes their workflows, because messages
 * about changes may be lost.
 */
export const sweepSalesforce = streamWorkflow('sweepSalesforce');
/** Stores how the org's descriptions of mapped fields (Salesforce's describe) changed, and where they do not fit the mapping. */
export const watchOrg = streamWorkflow('watchOrg');
