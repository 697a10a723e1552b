import type { StreamName } from './streams.ts';

/** For each CRM object in which sales persons enter requests, one a row: the stream that answers them. */
export const REQUEST_OBJECTS: Readonly<Record<string, StreamName>> = {
  Lockstep_Order_Search__c: 'findOrders',
  Lockstep_Found_Order__c: 'findOrders',
};
