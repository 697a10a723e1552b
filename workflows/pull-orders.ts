import { streamWorkflow } from './stream.ts';

/** Mirrors the vendor's orders that changed since the cursor into the CRM. */
export const pullOrders = streamWorkflow('pullOrders');
