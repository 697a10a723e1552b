import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { isLeadId, sameId } from '../domain/record/salesforce-id.ts';
import type { StreamName } from '../domain/streams/streams.ts';
import type { Delivery } from '../intake/delivery.ts';
import type { Tenant } from '../platform/tenant.ts';
import { ACKNOWLEDGEMENT, type OutboundMessage, parseOutboundMessage } from './outbound-message.ts';
import { readBody, XML_BODY } from './read-body.ts';
import type { Reception } from './reception.ts';
import type { Refusal, RefusalCode } from './refusals.ts';
import type { SenderLimits } from './sender-limits.ts';

/** Handles one Outbound Message. The secret in the URL's path identifies the tenant. */
export async function receiveOutboundMessage(
  context: Context,
  secret: string,
  reception: Reception,
): Promise<Response> {
  const tenant = await reception.paths.tenantOf(secret);
  if (tenant === null) return reception.turnAway(context, { refusal: 'unknown-path' });
  const read = await readMessage(context.req.raw, tenant, reception.senders);
  if ('refusal' in read) return reception.turnAway(context, read, tenant);
  const { delivery, requested, ignored } = deliveryOf(read.message, tenant);
  if (ignored > 0) reception.leaveAlone(tenant, 'outbound-message', ignored);
  if (delivery !== null) {
    const outcome = await reception.store(tenant, 'outbound-message', delivery);
    if ('refusal' in outcome) return reception.turnAway(context, outcome, tenant);
  }
  for (const stream of requested) {
    const refusal = await reception.request(tenant, 'outbound-message', stream);
    if (refusal !== null) return reception.turnAway(context, refusal, tenant);
  }
  return context.body(ACKNOWLEDGEMENT, 200, { 'content-type': 'text/xml; charset=utf-8' });
}

async function readMessage(
  request: Request,
  tenant: Tenant,
  senders: SenderLimits,
): Promise<{ readonly message: OutboundMessage } | Refusal> {
  const early = senders.unread(tenant.tenant) ?? senders.request(tenant.tenant);
  if (early !== null) return early;
  const body = await readBody(request, XML_BODY);
  const late = 'refusal' in body ? null : senders.body(tenant.tenant, body.bytes);
  if (late !== null) return late;
  const parsed = 'refusal' in body ? body : parseOutboundMessage(body.text);
  if ('refusal' in parsed) {
    senders.unreadable(tenant.tenant);
    return parsed;
  }
  const refusal = objectionTo(parsed.message, tenant);
  return refusal === null ? parsed : { refusal };
}

/**
 * Why the receiver refuses a message; null if it accepts it. Messages are not signed, so their organization and action are compared with
 * those in the tenant file.
 */
function objectionTo(message: OutboundMessage, tenant: Tenant): RefusalCode | null {
  const { organizationId } = tenant.salesforce;
  if (organizationId !== null && !sameId(organizationId, message.organizationId)) return 'wrong-organization';
  const { actionIds } = tenant.webhooks;
  const allowed = actionIds.length === 0 || actionIds.some((id) => sameId(id, message.actionId));
  return allowed ? null : 'action-not-allowed';
}

/**
 * Combines those notifications of a message that are about deals into one delivery; null if there are none. The delivery's id is the id of
 * the only notification, or a hash of all their ids, so that a repeated message is recognised. If Salesforce repeats notifications in other
 * messages, their records are synced once more, which does no harm. `requested`: the streams (sources of changes) that users' requests in
 * the message start. `ignored`: the number of all other notifications.
 */
function deliveryOf(
  message: OutboundMessage,
  { mapping }: Pick<Tenant, 'mapping'>,
): {
  readonly delivery: Delivery | null;
  readonly requested: ReadonlySet<StreamName>;
  readonly ignored: number;
} {
  const requests = message.notifications.flatMap(({ requests }) => requests ?? []);
  const requested = new Set(requests);
  const wanted = message.notifications.flatMap(({ id, opportunityId }) =>
    opportunityId === null || (isLeadId(opportunityId) && mapping.leads === undefined) ? [] : [{ id, opportunityId }],
  );
  const ignored = message.notifications.length - wanted.length - requests.length;
  const ids = wanted.map(({ id }) => id).sort();
  const [first] = ids;
  if (first === undefined) return { delivery: null, requested, ignored };
  const crmIds = [...new Set(wanted.map(({ opportunityId }) => opportunityId))];
  const digest = createHash('sha256').update(ids.join()).digest('hex');
  return { delivery: { id: ids.length === 1 ? first : digest, crmIds }, requested, ignored };
}
