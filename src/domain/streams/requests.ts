import type { StreamName } from './streams.ts';

/** The stream that answers the requests of sales persons, by the object whose rows are requests. */
export const REQUEST_OBJECTS: Readonly<Record<string, StreamName>> = {
  Lockstep_Order_Search__c: 'findOrders',
  Lockstep_Found_Order__c: 'findOrders',
};
