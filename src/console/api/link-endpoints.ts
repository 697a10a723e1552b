import { z } from 'zod';
import { correctField, type FieldCorrected } from '../../operator/records/correct-field.ts';
import { vendorIdOf } from '../../operator/records/find-link.ts';
import { findOrder, linkOrders, type OrdersFound, openOrders } from '../../operator/records/find-order.ts';
import { linkRecords } from '../../operator/records/link-records.ts';
import { type RecordsRelinked, relinkRecords } from '../../operator/records/relink-records.ts';
import { unlinkRecord } from '../../operator/records/unlink-record.ts';
import type { ConsolePorts } from '../ports.ts';
import { shape } from './answers.ts';
import { chosenField } from './chosen-field.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { CRM_ID, FIELD, FLAG, INSTANT, LAST_INSTANT, REASON, RECORD_ID, TENANT } from './input.ts';
import { Refusal } from './refusal.ts';

const POST = { method: 'POST', effect: 'writes', role: 'operator' } as const;
const PREFER = z.enum(['crm', 'vendor']).optional().describe('the side whose differing values stay');
const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();

/** The endpoints of `lockstep link`, `unlink` and `relink`, which change which vendor record an opportunity is synced with. */
const LINKS: readonly Endpoint[] = [
  endpoint({
    ...POST,
    verb: 'link',
    summary: 'Links an opportunity and a vendor record as one deal.',
    path: '/tenants/{tenant}/links',
    input: z.object({ tenant: TENANT, crmId: CRM_ID, vendorId: RECORD_ID, prefer: PREFER, reason: REASON }),
    answer: z.object({
      ...{ shape: shape('link/1'), tenant: z.string(), crmId: z.string(), vendorId: z.string() },
      ...{ workflowId: z.string(), waitsFor: z.string().nullable() },
    }),
    details: ({ crmId, vendorId, prefer }) => ({ crmId, vendorId, ...(prefer === undefined ? {} : { prefer }) }),
    run: async (ports, { tenant: name, crmId, vendorId, prefer }) => {
      const tenant = ports.tenant(name);
      const own = { intake: await ports.intake(), ledger: ports.ledger, remote: ports.remote(tenant) };
      const ids = { crmId, vendorId: vendorIdOf(vendorId) };
      const linked = await linkRecords(own, tenant.tenant, ids, prefer ?? null, ports.now());
      return { shape: 'link/1' as const, ...linked };
    },
  }),
  endpoint({
    ...POST,
    verb: 'unlink',
    summary: 'Separates an opportunity from its vendor record, until somebody links them again.',
    path: '/tenants/{tenant}/records/{id}/unlink',
    input: z.object({ tenant: TENANT, id: RECORD_ID, reason: REASON }),
    answer: z.object({
      ...{ shape: shape('unlink/1'), tenant: z.string(), crmId: z.string(), vendorId: z.string() },
      workflowIds: list(z.string()),
    }),
    details: ({ id }) => ({ id }),
    run: async ({ intake, ledger, tenant: named, now }, { tenant, id }) => {
      const own = { intake: await intake(), ledger };
      return { shape: 'unlink/1' as const, ...(await unlinkRecord(own, named(tenant).tenant, id, now())) };
    },
  }),
];

const RELINKED = z.object({
  shape: shape('relink/1'),
  tenant: z.string(),
  applied: z.boolean(),
  moves: list(
    z.object({ from: z.string(), to: z.string(), vendorId: z.string().nullable(), verdict: z.string() }),
  ) as unknown as z.ZodType<RecordsRelinked['moves']>,
  withoutNewId: z.number(),
});
const NEW_ID_FIELD = z
  .string()
  .regex(/^[A-Za-z]\w{0,79}$/)
  .describe('the field of the new opportunities that contains the former id');
const MOST_MOVES = 10_000;

type Relinking = {
  readonly tenant: string;
  readonly field?: string | undefined;
  readonly pairs?: readonly { readonly from: string; readonly to: string }[] | undefined;
  readonly prefer?: 'crm' | 'vendor' | undefined;
};

async function relink(ports: ConsolePorts, { tenant: name, field, pairs, prefer }: Relinking, isOrdered: boolean) {
  if ((field === undefined) === (pairs === undefined)) throw new Refusal('invalid', 'Give field or pairs.');
  const tenant = ports.tenant(name);
  const own = { ledger: ports.ledger, crm: ports.readable(tenant).crm, intake: ports.intake };
  const order = { by: pairs === undefined ? { field: field ?? '' } : { pairs }, prefer: prefer ?? null, isOrdered };
  return { shape: 'relink/1' as const, ...(await relinkRecords(own, tenant.tenant, order, ports.now())) };
}

const MOVES: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'operator' },
    verb: 'relink plan',
    summary: 'Shows which deals a move to another org’s opportunities would move. Changes nothing.',
    path: '/tenants/{tenant}/relink',
    costly: true,
    input: z.object({ tenant: TENANT, field: NEW_ID_FIELD }),
    answer: RELINKED,
    run: (ports, given) => relink(ports, given, false),
  }),
  endpoint({
    ...POST,
    verb: 'relink',
    summary: 'Moves deals to the opportunities of the org to which their org was migrated.',
    path: '/tenants/{tenant}/relink',
    role: 'administrator',
    input: z.object({
      ...{ tenant: TENANT, field: NEW_ID_FIELD.optional(), prefer: PREFER, reason: REASON },
      pairs: z
        .array(z.object({ from: CRM_ID, to: CRM_ID }))
        .min(1)
        .max(MOST_MOVES)
        .optional(),
    }),
    answer: RELINKED,
    details: ({ field, pairs }) => ({ by: field ?? `${pairs?.length ?? 0} pairs` }),
    outcome: ({ moves }) => ({
      hasFailed: false,
      details: { moved: moves.filter(({ verdict }) => verdict === 'moved').length },
    }),
    run: (ports, given) => relink(ports, given, true),
  }),
];

const FOUND = z.object({
  shape: shape('find-order/1'),
  tenant: z.string(),
  orders: list(z.looseObject({ id: z.string(), opportunityId: z.string().nullable() })) as unknown as z.ZodType<
    OrdersFound['orders']
  >,
  hasMore: z.boolean(),
  linkedTo: z.string().nullable(),
});
const TEXT = z.string().trim().min(1).max(100).optional();
const ORDER_ID = z.string().regex(/^[\w.-]{1,60}$/, 'It is no id of an order.');
const MOST_LINKED = 20;

function orderPorts(ports: ConsolePorts, name: string) {
  const tenant = ports.tenant(name);
  const { vendor, crm } = ports.readable(tenant);
  return {
    tenant: tenant.tenant,
    own: { vendor, crm, remote: ports.remote(tenant), ledger: ports.ledger, now: ports.now },
  };
}

/** The API's answer about found orders. Order numbers and prices are null in it if the person has not requested values. */
function answerOf(found: OrdersFound, withValues: boolean) {
  const orders = found.orders.map((order) =>
    withValues ? order : { ...order, poReference: null, futurePrices: null },
  );
  return { shape: 'find-order/1' as const, ...found, orders };
}

const ORDERS: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'viewer' },
    verb: 'find-order',
    summary: 'Searches the vendor’s orders; with open, lists the orders of Salesforce without an opportunity.',
    path: '/tenants/{tenant}/orders',
    costly: true,
    input: z.object({
      tenant: TENANT,
      po: TEXT.describe('your own order number'),
      installedBase: TEXT,
      seat: TEXT.describe('a cloud instance, or a seat'),
      bookedFrom: INSTANT.optional(),
      bookedTo: LAST_INSTANT.optional(),
      type: z.enum(['PO', 'RN']).optional().describe('orders, or renewals'),
      open: FLAG,
      values: FLAG.describe('also your order numbers and prices'),
    }),
    answer: FOUND,
    showsValues: ({ values }) => values,
    details: ({ open }) => ({ open }),
    run: async (ports, { tenant: name, po, installedBase, seat, bookedFrom, bookedTo, type, open, values }) => {
      const { own, tenant } = orderPorts(ports, name);
      if (open) return answerOf(await openOrders(own, tenant), values);
      const isBooked = bookedFrom !== undefined || bookedTo !== undefined;
      if ([po, installedBase, seat].every((one) => one === undefined) && !isBooked)
        throw new Refusal('invalid', 'Give a criterion besides the type, or open.');
      const criteria = {
        ...(po !== undefined && { billToPoReferences: [po] }),
        ...(installedBase !== undefined && { installedBaseNumber: installedBase }),
        ...(seat !== undefined && { onlineInstanceSeatId: seat }),
        ...(isBooked && { bookingDateTime: { from: bookedFrom, to: bookedTo } }),
        ...(type !== undefined && { transactionType: type }),
      };
      return answerOf(await findOrder(own, tenant, criteria, null), values);
    },
  }),
  endpoint({
    ...POST,
    verb: 'find-order link',
    summary: 'Links orders that Salesforce shows to an opportunity.',
    path: '/tenants/{tenant}/orders/link',
    input: z.object({
      ...{ tenant: TENANT, orders: z.array(ORDER_ID).min(1).max(MOST_LINKED), crmId: CRM_ID, reason: REASON },
    }),
    answer: FOUND,
    details: ({ orders, crmId }) => ({ orders, crmId }),
    run: async (ports, { tenant: name, orders, crmId }) => {
      const { own, tenant } = orderPorts(ports, name);
      return answerOf(await linkOrders(own, tenant, orders, crmId), false);
    },
  }),
];

const CORRECTED = z.object({
  shape: shape('inbox-correct/1'),
  tenant: z.string(),
  field: z.string(),
  records: list(z.object({ id: z.string(), workflowId: z.string().nullable(), refused: z.string().nullable() })),
}) as unknown as z.ZodType<FieldCorrected, FieldCorrected>;
const MOST_CORRECTED = 200;

const CORRECTIONS: readonly Endpoint[] = [
  endpoint({
    ...POST,
    verb: 'inbox correct',
    summary: 'Sets a field of waiting opportunities in Salesforce, and syncs them.',
    path: '/tenants/{tenant}/inbox/correct',
    input: z.object({
      tenant: TENANT,
      ids: z.array(RECORD_ID).min(1).max(MOST_CORRECTED),
      field: FIELD,
      value: z.string().min(1).max(32_000).describe('the value as Salesforce stores it'),
      reason: REASON,
    }),
    answer: CORRECTED,
    changes: ({ ids }) => ids.length,
    details: ({ ids, field }) => ({ ids, field }),
    outcome: ({ records }) => ({ hasFailed: records.every(({ refused }) => refused !== null) }),
    run: async (ports, { tenant: name, ids, field, value }) => {
      const tenant = ports.tenant(name);
      const { setInCrm } = ports.remote(tenant);
      const own = { intake: await ports.intake(), ledger: ports.ledger, setInCrm, mapping: tenant.mapping };
      return correctField(own, tenant.tenant, { ids, field: chosenField(field, tenant.mapping), value }, ports.now());
    },
  }),
];

/** All endpoints that link or move records, link orders, or correct values. */
export const LINK_ENDPOINTS: readonly Endpoint[] = [...LINKS, ...MOVES, ...ORDERS, ...CORRECTIONS];
