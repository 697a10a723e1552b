import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Delivery } from '../intake/delivery.ts';
import type { Tenant } from '../platform/tenant.ts';
import { liveValues } from './live-secrets.ts';
import { JSON_BODY, readBody } from './read-body.ts';
import type { Reception } from './reception.ts';
import type { Refusal } from './refusals.ts';
import { checkSignature, parseEvent, readSignatureHeaders } from './standard-event.ts';

/** Handles one signed event: 202 when it was stored and signalled, 204 when there was nothing to do. */
export async function receiveEvent(
  context: Context,
  tenantName: string,
  reception: Reception,
): Promise<Response> {
  const tenant = reception.options.tenants().find((one) => one.tenant === tenantName);
  if (tenant === undefined) return reception.turnAway(context, { refusal: 'unknown-path' });
  const read = await readEvent(context, tenant, reception);
  if ('refusal' in read) return reception.turnAway(context, read, tenant);
  if (read.crmIds.length === 0) {
    reception.leaveAlone(tenant, 'signed-event', 1);
    return context.body(null, 204);
  }
  const outcome = await reception.store(tenant, 'signed-event', read);
  if ('refusal' in outcome) return reception.turnAway(context, outcome, tenant);
  return context.body(null, outcome.taken === 'duplicate' ? 204 : 202);
}

async function readEvent(
  context: Context,
  tenant: Tenant,
  reception: Reception,
): Promise<Delivery | Refusal> {
  const { senders, options } = reception;
  const { log, now } = options;
  const headers = readSignatureHeaders((name) => context.req.header(name));
  if (headers === null) return { refusal: 'bad-signature' };
  const unread = senders.unread(tenant.tenant);
  if (unread !== null) return unread;
  const body = await readBody(context.req.raw, JSON_BODY);
  if ('refusal' in body) return body;
  const keys = liveValues(tenant.webhooks.keys, tenant.tenant, log);
  const refusal = checkSignature({ ...headers, body: body.text }, keys, now());
  if (refusal !== null) return { refusal };
  // Only what is signed counts: whoever knows a tenant's name must not be able to use up what its senders may send.
  const tooMany = senders.request(tenant.tenant) ?? senders.body(tenant.tenant, body.bytes);
  if (tooMany !== null) return tooMany;
  const parsed = parseEvent(body.text);
  if ('refusal' in parsed) return parsed;
  // The sender makes it up: it tells one message from another, and what it says is not kept.
  const id = createHash('sha256').update(headers.id).digest('hex');
  return { id, crmIds: parsed.opportunityIds };
}
