import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Delivery } from '../intake/delivery.ts';
import type { Tenant } from '../platform/tenant.ts';
import { liveValues } from './live-secrets.ts';
import { JSON_BODY, readBody } from './read-body.ts';
import type { Reception } from './reception.ts';
import type { Refusal } from './refusals.ts';
import { checkSignature, parseEvent, readSignatureHeaders } from './standard-event.ts';

/** Handles one signed event. Answers 202 after the event was stored, and 204 if the event is a duplicate or names no opportunity. */
export async function receiveEvent(context: Context, tenantName: string, reception: Reception): Promise<Response> {
  const tenant = reception.options.tenants().find((one) => one.tenant === tenantName);
  const read = await readEvent(context, tenant, reception);
  if ('refusal' in read) return reception.turnAway(context, read, tenant);
  if (tenant === undefined) return reception.turnAway(context, { refusal: 'bad-signature' });
  if (read.crmIds.length === 0) {
    reception.leaveAlone(tenant, 'signed-event', 1);
    return context.body(null, 204);
  }
  const outcome = await reception.store(tenant, 'signed-event', read);
  if ('refusal' in outcome) return reception.turnAway(context, outcome, tenant);
  return context.body(null, outcome.taken === 'duplicate' ? 204 : 202);
}

/**
 * A random key that checks the signatures of events for unknown tenants, and for tenants without a readable key. No sender knows this key,
 * so each such event is refused like one with a wrong signature.
 */
const NOBODYS_KEY = `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Reads an event and checks its signature. Returns the event as a delivery, or the reason why it is refused. If the signature is not valid,
 * the refusal is the same for tenants that exist and tenants that do not, so that a stranger cannot learn names of tenants.
 */
async function readEvent(
  context: Context,
  tenant: Tenant | undefined,
  reception: Reception,
): Promise<Delivery | Refusal> {
  const { senders, options } = reception;
  const { log, now } = options;
  const headers = readSignatureHeaders((name) => context.req.header(name));
  if (headers === null) return { refusal: 'bad-signature' };
  const body = await readBody(context.req.raw, JSON_BODY);
  if ('refusal' in body) return body;
  const live = tenant === undefined ? [] : liveValues(tenant.webhooks.keys, tenant.tenant, log);
  const keys = live.length === 0 ? [NOBODYS_KEY] : live;
  const refusal = checkSignature({ ...headers, body: body.text }, keys, now());
  if (refusal !== null || tenant === undefined) return { refusal: refusal ?? 'bad-signature' };
  const unread = senders.unread(tenant.tenant);
  if (unread !== null) return unread;
  // Counts only signed requests, because otherwise anyone who knows a tenant's name could use up its rate limit.
  const tooMany = senders.request(tenant.tenant) ?? senders.body(tenant.tenant, body.bytes);
  if (tooMany !== null) return tooMany;
  const parsed = parseEvent(body.text);
  if ('refusal' in parsed) return parsed;
  // The ledger (Lockstep's database) stores only a hash of the id, because the sender chooses the id's text.
  const id = createHash('sha256').update(headers.id).digest('hex');
  return { id, crmIds: parsed.opportunityIds };
}
