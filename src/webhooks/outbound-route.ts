import type { Context } from 'hono';
import { sameId } from '../platform/salesforce-id.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Delivery } from './intake.ts';
import { tenantOfPath } from './live-secrets.ts';
import { ACKNOWLEDGEMENT, type OutboundMessage, parseOutboundMessage } from './outbound-message.ts';
import { readBody } from './read-body.ts';
import type { Reception } from './reception.ts';
import type { RefusalCode } from './refusals.ts';

const XML_TYPES = ['text/xml', 'application/xml'];

/** Handles one Outbound Message. The secret in the path says which tenant it is for. */
export async function receiveOutboundMessage(
  context: Context,
  secret: string,
  reception: Reception,
): Promise<Response> {
  const tenant = tenantOfPath(secret, reception.options.tenants, reception.options.log);
  if (tenant === null) return reception.turnAway(context, 'unknown-path');
  const read = await readMessage(context.req.raw, tenant);
  if ('refusal' in read) return reception.turnAway(context, read.refusal, tenant);
  const deliveries = deliveriesOf(read.message);
  const ignored = read.message.notifications.length - deliveries.length;
  if (ignored > 0) reception.leaveAlone(tenant, 'outbound-message', ignored);
  const stored = await reception.store(tenant, 'outbound-message', deliveries);
  if (stored === null) return reception.turnAway(context, 'ledger-unavailable', tenant);
  return context.body(ACKNOWLEDGEMENT, 200, { 'content-type': 'text/xml; charset=utf-8' });
}

async function readMessage(
  request: Request,
  tenant: Tenant,
): Promise<{ readonly message: OutboundMessage } | { readonly refusal: RefusalCode }> {
  const body = await readBody(request, XML_TYPES);
  if ('refusal' in body) return body;
  const parsed = parseOutboundMessage(body.text);
  if ('refusal' in parsed) return parsed;
  const refusal = objectionTo(parsed.message, tenant);
  return refusal === null ? parsed : { refusal };
}

/** The message is unsigned: what it says of its origin is compared with what the tenant's file declares. */
function objectionTo(message: OutboundMessage, tenant: Tenant): RefusalCode | null {
  const { organizationId } = tenant.salesforce;
  if (organizationId !== null && !sameId(organizationId, message.organizationId)) return 'wrong-organization';
  const { actionIds } = tenant.webhooks;
  const allowed = actionIds.length === 0 || actionIds.some((id) => sameId(id, message.actionId));
  return allowed ? null : 'action-not-allowed';
}

function deliveriesOf(message: OutboundMessage): readonly Delivery[] {
  return message.notifications.flatMap(({ id, opportunityId }) =>
    opportunityId === null ? [] : [{ id, crmIds: [opportunityId] }],
  );
}
