import type { StreamName } from './streams.ts';

/**
 * The CRM objects whose rows are sales persons' requests, such as order searches. For each object, the stream that answers the requests.
 */
export const REQUEST_OBJECTS: Readonly<Record<string, StreamName>> = {
  Lockstep_Order_Search__c: 'findOrders',
  Lockstep_Found_Order__c: 'findOrders',
};
