import { streamWorkflow } from './stream.ts';

/** Reads the orders of the past by the time of their creation, until all are there. */
export const loadOrders = streamWorkflow('loadOrders');
