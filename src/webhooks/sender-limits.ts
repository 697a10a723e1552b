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

/** After a message with too many records a tenant's next ones are refused unread for so long: reading them is what costs. */
const UNREAD_MS = 1_000;

/** Each answers null where it may go on, and otherwise says when to come again. */
export interface SenderLimits {
  /** Asked before anything is read. Counts nothing, so that it may be asked before it is certain who sends. */
  unread(tenant: string): Refusal | null;
  /** Asked as soon as it is known who sends. */
  request(tenant: string): Refusal | null;
  /** Asked before a body is looked into: what it counts more than one request for its length. */
  body(tenant: string, bytes: number): Refusal | null;
  /** Asked before records are stored. */
  records(tenant: string, count: number): Refusal | null;
  /** Told that too many of the tenant's records wait; the refusal of the message that has met them. */
  tooManyWait(tenant: string): Refusal;
}

/** Counts for each tenant by itself, so that one who floods the receiver puts off nobody else. */
export function createSenderLimits(rates: SenderRates, nowMs: () => number): SenderLimits {
  const [requests, records] = [allowances(rates.requests), allowances(rates.records)];
  const unreadUntil = new Map<string, number>();
  const leaveUnread = (tenant: string, ms: number): void => void unreadUntil.set(tenant, nowMs() + ms);
  const taken = (from: Allowance, count: number, refusal: RefusalCode): Refusal | null => {
    const waitMs = from.take(count, nowMs());
    return waitMs === 0 ? null : putOff(refusal, waitMs);
  };
  return {
    unread: (tenant) => {
      const leftMs = (unreadUntil.get(tenant) ?? Number.NEGATIVE_INFINITY) - nowMs();
      return leftMs > 0 ? putOff('too-many-records', leftMs) : null;
    },
    request: (tenant) => taken(requests(tenant), 1, 'too-many-requests'),
    body: (tenant, bytes) => taken(requests(tenant), Math.floor(bytes / BYTES_OF_ONE), 'too-many-requests'),
    records: (tenant, count) => {
      const waitMs = records(tenant).take(count, nowMs());
      if (waitMs === 0) return null;
      // Who comes again when it was told to is read.
      leaveUnread(tenant, Math.min(waitMs, UNREAD_MS));
      return putOff('too-many-records', waitMs);
    },
    tooManyWait: (tenant) => {
      leaveUnread(tenant, UNREAD_MS);
      return { refusal: 'too-many-records' };
    },
  };
}

function putOff(refusal: RefusalCode, waitMs: number): Refusal {
  return { refusal, retryAfterSeconds: Math.ceil(waitMs / 1000) };
}

function allowances(rate: Rate): (tenant: string) => Allowance {
  const byTenant = new Map<string, Allowance>();
  return (tenant) => {
    const known = byTenant.get(tenant) ?? createAllowance(rate);
    byTenant.set(tenant, known);
    return known;
  };
}
