import { type Cadence, whileFollowed } from '../domain/streams/cadence.ts';
import { type Rhythm, STREAMS, type StreamName } from '../domain/streams/streams.ts';
import type { Tenant } from './tenant.ts';

/**
 * For each setting that says how often a stream (a source of changes) is read, a function that returns a tenant's intervals: while the
 * stream finds changes, and while it finds none.
 */
const RHYTHMS: Readonly<Record<Rhythm, (tenant: StreamTenant) => Cadence>> = {
  'vendor.poll': ({ vendor }) => cadence(vendor.poll.everyMs, vendor.poll.idleMs),
  'vendor.ordersEvery': ({ vendor }) => cadence(vendor.ordersEveryMs),
  'salesforce.sweep': ({ salesforce }) => cadence(salesforce.sweep.everyMs, salesforce.sweep.idleMs),
};

const IDLE_TIMES = 3;
/**
 * The polling intervals of a stream (a source of changes) that is never polled. It is read only when a read is requested, for example
 * because a user searches for orders.
 */
const NEVER: Cadence = { everyMs: Number.POSITIVE_INFINITY, idleMs: Number.POSITIVE_INFINITY };

function cadence(everyMs: number, idleMs: number = IDLE_TIMES * everyMs): Cadence {
  return { everyMs, idleMs };
}

export type StreamTenant = {
  readonly tenant: string;
  readonly vendor: Pick<Tenant['vendor'], 'poll' | 'ordersEveryMs'>;
  readonly salesforce: Pick<Tenant['salesforce'], 'sweep' | 'changes'>;
};

/** How often a tenant's stream (a source of changes) is read, in milliseconds. */
export function cadenceOf(tenant: StreamTenant, stream: StreamName): Cadence {
  const { every } = STREAMS[stream];
  if (every === 'request') return NEVER;
  if (typeof every === 'number') return { everyMs: every, idleMs: every };
  return typeof every === 'string' ? RHYTHMS[every](tenant) : every;
}

/**
 * The longest intervals at which a tenant's stream (a source of changes) may be read. A stream that was not read for longer is overdue. The
 * intervals are those of `cadenceOf`, except for one stream: the sweep (query for changes in the CRM) of a tenant with change events of the
 * Pub/Sub API. While such events arrive, the sweep is less frequent. Its shortest interval is then the usual `idleMs`, and its longest
 * interval is four times `idleMs`.
 */
export function slowestCadenceOf(tenant: StreamTenant, stream: StreamName): Cadence {
  const usual = cadenceOf(tenant, stream);
  const isNet = stream === 'sweepSalesforce' && (tenant.salesforce.changes ?? 'outbound') !== 'outbound';
  return isNet ? whileFollowed(usual) : usual;
}
