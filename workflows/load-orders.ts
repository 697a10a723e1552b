import { streamWorkflow } from './stream.ts';

/** Reads past orders by creation date until all are loaded. */
export const loadOrders = streamWorkflow('loadOrders');
