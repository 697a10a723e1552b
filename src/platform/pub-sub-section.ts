import { z } from 'zod';
import { text } from './secret-fields.ts';

const ENDPOINT = 'must be a host with its port, such as api.pubsub.salesforce.com:7443';
const CHANNEL = 'must be a channel such as /data/Lockstep_Changes__chn';

/**
 * Schema of the section `salesforce.pubSub` in a tenant file: the endpoint of Salesforce's Pub/Sub API, and the channel of the change
 * events that Lockstep reads.
 */
export const pubSub = z.strictObject(
  {
    endpoint: text(ENDPOINT)
      .regex(/^[\w.-]+:\d{1,5}$/, { error: ENDPOINT })
      .optional(),
    channel: text(CHANNEL)
      .regex(/^\/data\/\w+$/, { error: CHANNEL })
      .optional(),
  },
  { error: 'must be a section with its keys indented below it' },
);
