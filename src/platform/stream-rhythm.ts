import { type Rhythm, STREAMS, type StreamName } from '../domain/streams/streams.ts';
import type { Tenant } from './tenant.ts';

/** How often each setting says. */
const RHYTHMS: Readonly<Record<Rhythm, (tenant: StreamTenant) => number>> = {
  'vendor.poll': ({ vendor }) => vendor.poll.everyMs,
  'vendor.ordersEvery': ({ vendor }) => vendor.ordersEveryMs,
  'salesforce.sweep': ({ salesforce }) => salesforce.sweep.everyMs,
};

export type StreamTenant = {
  readonly tenant: string;
  readonly vendor: Pick<Tenant['vendor'], 'poll' | 'ordersEveryMs'>;
  readonly salesforce: Pick<Tenant['salesforce'], 'sweep'>;
};

/** How often a tenant's stream is read, in milliseconds. */
export function everyMs(tenant: StreamTenant, stream: StreamName): number {
  const { every: rhythm } = STREAMS[stream];
  return typeof rhythm === 'number' ? rhythm : RHYTHMS[rhythm](tenant);
}
