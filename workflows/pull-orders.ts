import { streamWorkflow } from './stream.ts';

/** Reads the vendor's orders that changed since the cursor, and mirrors them in the CRM. */
export const pullOrders = streamWorkflow('pullOrders');
