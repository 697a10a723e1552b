/** Parses JSON events that are signed as in Standard Webhooks, from Apex and other senders. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { toOpportunityId } from '../domain/record/salesforce-id.ts';
import type { RefusalCode } from './refusals.ts';

/** The maximum difference, in seconds, between the signed time of an event and the current time. The event may be older or newer. */
const TOLERANCE_SECONDS = 300;

const MAX_SIGNATURES = 10;

export type SignatureHeaders = {
  readonly id: string;
  /** The time of the event in seconds since 1970, exactly as the sender wrote it. */
  readonly timestamp: string;
  readonly signature: string;
};

/** Reads the signature headers of a request, before its body is read. Null if one is missing or malformed. */
export function readSignatureHeaders(header: (name: string) => string | undefined): SignatureHeaders | null {
  const id = header('webhook-id') ?? '';
  const timestamp = header('webhook-timestamp') ?? '';
  const signature = header('webhook-signature') ?? '';
  const isWellFormed = /^[\x21-\x7e]{1,256}$/.test(id) && /^\d{1,11}$/.test(timestamp) && signature !== '';
  return isWellFormed ? { id, timestamp, signature } : null;
}

/** A signed request. `body` is the text exactly as it was sent. */
export type SignedRequest = SignatureHeaders & { readonly body: string };

/**
 * Checks a request's signature, then its age at `now`. Returns null if both are valid. The check of the Standard Webhooks library is not
 * used, because it always compares with this machine's clock.
 */
export function checkSignature(request: SignedRequest, keys: readonly string[], now: Date): RefusalCode | null {
  const { id, timestamp, signature, body } = request;
  const signedAt = new Date(Number(timestamp) * 1000);
  const offered = signature.split(' ', MAX_SIGNATURES);
  const matches = keys.flatMap((key) => {
    const expected = new Webhook(key).sign(id, signedAt, body);
    return offered.map((one) => equalInConstantTime(one, expected));
  });
  if (!matches.includes(true)) return 'bad-signature';
  const ageSeconds = Math.abs(now.getTime() - signedAt.getTime()) / 1000;
  return ageSeconds > TOLERANCE_SECONDS ? 'stale' : null;
}

function equalInConstantTime(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(first as Buffer, second as Buffer);
}

const opportunityId = z
  .string()
  .transform((text) => toOpportunityId(text) ?? '')
  .refine((id) => id !== '');

const event = z.looseObject({ type: z.string().min(1).max(200) });

const opportunityChanged = z.looseObject({
  data: z.looseObject({ opportunityIds: z.array(opportunityId).min(1).max(200) }),
});

/** The opportunities that an event reports as changed, as distinct 18-character ids. Empty for an event of another type. */
export function parseEvent(
  body: string,
): { readonly opportunityIds: readonly string[] } | { readonly refusal: RefusalCode } {
  const data = parseJson(body);
  const envelope = event.safeParse(data);
  if (!envelope.success) return { refusal: 'malformed' };
  if (envelope.data.type !== 'opportunity.changed') return { opportunityIds: [] };
  const changed = opportunityChanged.safeParse(data);
  if (!changed.success) return { refusal: 'malformed' };
  return { opportunityIds: [...new Set(changed.data.data.opportunityIds)] };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
