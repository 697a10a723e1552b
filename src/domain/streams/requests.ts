import type { StreamName } from './streams.ts';

/** For each CRM object whose rows are requests of sales persons: the stream that answers these requests. */
export const REQUEST_OBJECTS: Readonly<Record<string, StreamName>> = {
  Lockstep_Order_Search__c: 'findOrders',
  Lockstep_Found_Order__c: 'findOrders',
};
