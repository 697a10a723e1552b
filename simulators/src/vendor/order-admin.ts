import { z } from 'zod';
import type { AdminRecord } from '../core/admin.ts';
import type { JsonObject } from '../core/admin-body.ts';
import { refusal } from '../core/refusal.ts';
import { isIsoDateTime, nextModifiedDate, toVendorInstant } from './dates.ts';
import type { ChargeCondition, Order } from './order/order.ts';
import type { World } from './world/world.ts';

const instant = z.string().refine(isIsoDateTime, 'not an ISO 8601 date-time').transform(toVendorInstant);
const site = z.looseObject({ id: z.string(), name: z.string(), locationId: z.number() });

/** An order as the admin surface takes it: the v1 detail (order spec 2.2, 2.3), any part of it. */
const orderFields = z.strictObject({
  transaction: z
    .strictObject({
      id: z.string().min(1).max(13),
      type: z.enum(['PO', 'RN']),
      status: z.string(),
      description: z.string().max(30),
    })
    .partial()
    .optional(),
  businessUnit: z.looseObject({ id: z.string().length(5), name: z.string(), localTimezone: z.string() }).optional(),
  billToSite: site.optional(),
  soldToSite: site.optional(),
  creationDateTime: instant.optional(),
  dsReceivedPoDate: z.string().optional(),
  bookingDateTime: instant.optional(),
  lastUpdateDateTime: instant.optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  onlineConsentStatus: z.string().optional(),
  billToSalesRepresentative: z.string().optional(),
  billToPoReference: z.string().optional(),
  agreement: z.looseObject({ type: z.string() }).optional(),
  billToContact: z.string().optional(),
  sboNumber: z.string().max(10).optional(),
  customerRequestedArrivalDate: z.string().optional(),
  dsSalesRepresentative: z.string().optional(),
  isMultiYear: z.boolean().optional(),
  hasExitClause: z.boolean().optional(),
  recurringChargeBillingCycle: z.string().optional(),
  opportunityId: z.string().optional(),
  paymentTerms: z.string().max(50).optional(),
  licenseChargeConditions: z.array(z.looseObject({ licenseChargeBreakdown: z.array(z.looseObject({})) })).optional(),
});

export function showOrder(order: Order): AdminRecord {
  return { id: order.transaction.id, type: 'order', fields: order };
}

/** Adds a believable order of its type and status, created now, with the given fields replacing generated ones. */
export function createOrder(world: World, input: JsonObject, now: Date): AdminRecord {
  const stamp = now.toISOString();
  const { type, status } = orderFields.shape.transaction.safeParse(input['transaction']).data ?? {};
  const wanted = { ...(type && { type }), ...(status && { status }) };
  const draft = { ...world.draft(now, wanted), creationDateTime: stamp, lastUpdateDateTime: stamp };
  const order = withFields(draft, input, draft.licenseChargeConditions);
  if (world.orders.get(order.transaction.id) !== undefined) throw refusal(409, 'An order with this id exists.');
  world.putOrder(order);
  return showOrder(order);
}

/** Edits an order. `lastUpdateDateTime` moves to `at`, or else to now (order spec 2.2). */
export function editOrder(
  world: World,
  order: Order,
  input: JsonObject,
  { at, now }: { readonly at: string | undefined; readonly now: Date },
): AdminRecord {
  const own = order.licenseChargeConditions;
  const edited = withFields(order, input, own.length > 0 ? own : world.draft(now).licenseChargeConditions);
  if (edited.transaction.id !== order.transaction.id) throw refusal(400, 'The id of an order cannot change.');
  const isStamped = input['lastUpdateDateTime'] !== undefined && at === undefined;
  const stamp = at ?? nextModifiedDate(order.lastUpdateDateTime, now);
  const stamped = isStamped ? edited : { ...edited, lastUpdateDateTime: stamp };
  world.putOrder(stamped);
  return showOrder(stamped);
}

function withFields(order: Order, input: JsonObject, template: readonly ChargeCondition[]): Order {
  const result = orderFields.safeParse(input);
  if (result.success) {
    const { transaction, licenseChargeConditions, ...rest } = result.data;
    return {
      ...order,
      ...rest,
      transaction: { ...order.transaction, ...transaction },
      ...(licenseChargeConditions !== undefined && {
        licenseChargeConditions: completed(licenseChargeConditions, template),
      }),
    } as Order;
  }
  const issue = result.error.issues[0];
  throw refusal(400, `${['fields', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'invalid'}.`);
}

type GivenCondition = { readonly licenseChargeBreakdown: readonly object[] };

/** Fills missing fields of given conditions and breakdowns, so that every order has the documented shape. */
function completed(given: readonly GivenCondition[], template: readonly ChargeCondition[]): readonly object[] {
  const condition = template[0];
  const breakdown = condition?.licenseChargeBreakdown[0];
  return given.map((part, at) => ({
    ...condition,
    sequenceNumber: at + 1,
    ...part,
    licenseChargeBreakdown: part.licenseChargeBreakdown.map((line, nth) => ({
      ...breakdown,
      sequenceNumber: nth + 1,
      ...line,
    })),
  }));
}
