import { type Allowance, createAllowance, type Rate } from '../intake/allowance.ts';
import type { Refusal, RefusalCode } from './refusals.ts';

/** What one tenant's senders may send to one receiver. */
export type SenderRates = { readonly requests: Rate; readonly records: Rate };

/**
 * Four times the records that a vendor takes at the usual rate, so that only what could not be carried on in time anyway is put
 * off. A burst is a mass change, in messages of one or of a hundred. Who sends as much for ever takes a fifth of a receiver's
 * core, whatever it sends (`npm run bench:receiver`).
 */
export const SENDER_RATES: SenderRates = {
  requests: { perSecond: 50, burst: 1000 },
  records: { perSecond: 20, burst: 2000 },
};

/** A longer body counts as several requests, since it costs as much to read. A message of a hundred is about as long. */
const BYTES_OF_ONE = 128 * 1024;

/** Each answers null where it may go on, and otherwise says when to come again. */
export interface SenderLimits {
  /** Asked as soon as it is known who sends. */
  request(tenant: string): Refusal | null;
  /** Asked before a body is looked into: what it counts more than one request for its length. */
  body(tenant: string, bytes: number): Refusal | null;
  /** Asked before records are stored. */
  records(tenant: string, count: number): Refusal | null;
}

/** Counts for each tenant by itself, so that one who floods the receiver puts off nobody else. */
export function createSenderLimits(rates: SenderRates, nowMs: () => number): SenderLimits {
  const [requests, records] = [allowances(rates.requests), allowances(rates.records)];
  const taken = (from: Allowance, count: number, refusal: RefusalCode): Refusal | null => {
    const waitMs = from.take(count, nowMs());
    return waitMs === 0 ? null : { refusal, retryAfterSeconds: Math.ceil(waitMs / 1000) };
  };
  return {
    request: (tenant) => taken(requests(tenant), 1, 'too-many-requests'),
    body: (tenant, bytes) => taken(requests(tenant), Math.floor(bytes / BYTES_OF_ONE), 'too-many-requests'),
    records: (tenant, count) => taken(records(tenant), count, 'too-many-records'),
  };
}

function allowances(rate: Rate): (tenant: string) => Allowance {
  const byTenant = new Map<string, Allowance>();
  return (tenant) => {
    const known = byTenant.get(tenant) ?? createAllowance(rate);
    byTenant.set(tenant, known);
    return known;
  };
}
