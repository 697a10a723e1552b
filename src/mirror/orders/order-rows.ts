import { Decimal } from 'decimal.js';
import { readAmount } from '../../domain/values/amount.ts';
import type { LicenseChargeBreakdown, LicenseChargeCondition, OrderDetail } from '../../partner-api/index.ts';
import { type MirrorRow, mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { BREAKDOWN_FIELDS, CONDITION_FIELDS } from './charge-line-mirror.ts';
import { ORDER_MIRROR } from './order-mirror.ts';

export type OrderRows = { readonly order: MirrorRow; readonly lines: readonly MirrorRow[] };

/** The CRM rows for an order and its charge lines, without lookups, which `link-rules.ts` fills. Pure. */
export function orderRows(order: OrderDetail): OrderRows {
  const { id } = order.transaction;
  const breakdowns = order.licenseChargeConditions.flatMap((condition) => condition.licenseChargeBreakdown);
  const fields = {
    Name: KINDS.name(id),
    ...mirrored(ORDER_MIRROR.fields, order),
    Net_Amount__c: KINDS.number(sum(breakdowns, String(order.currency ?? ''))),
    Start_Date__c: earliest(breakdowns),
  };
  return { order: { id, fields }, lines: lineRows(order) };
}

/** Adds up the net amounts of charge lines, rounded once to the precision of the order's currency. Null if no line has an amount. */
function sum(lines: readonly LicenseChargeBreakdown[], currency: string): string | null {
  const amounts = lines.flatMap(({ distributorNetAmount }) => distributorNetAmount ?? []);
  if (amounts.length === 0) return null;
  const total = amounts.reduce((before, amount) => before.plus(amount), new Decimal(0));
  return readAmount(total.toFixed(), currency);
}

function earliest(lines: readonly LicenseChargeBreakdown[]): string | null {
  return lines.flatMap(({ startDate }) => KINDS.date(startDate) ?? []).sort()[0] ?? null;
}

function lineRows({ transaction: { id }, currency, licenseChargeConditions }: OrderDetail): readonly MirrorRow[] {
  const taken = new Set<string>();
  return licenseChargeConditions.flatMap((condition, place) =>
    linesOf(condition).map((line, nth) => {
      const key = unlike(taken, `${id}/${numberOf(condition, place)}/${numberOf(line, nth)}`);
      const fields = {
        Name: KINDS.name(key),
        Line_Key__c: key,
        Vendor_Order__c: id,
        Currency__c: KINDS.text(currency),
        Active__c: true,
        ...mirrored(CONDITION_FIELDS, condition),
        ...mirrored(BREAKDOWN_FIELDS, line),
      };
      return { id: key, fields };
    }),
  );
}

/**
 * The charge lines of one charge condition of an order. A condition without lines becomes one line that has only the fields of the
 * condition.
 */
function linesOf({
  licenseChargeBreakdown: lines,
}: LicenseChargeCondition): readonly Partial<LicenseChargeBreakdown>[] {
  return lines.length === 0 ? [{}] : lines;
}

/**
 * One part of a charge line's key: the sequence number that the vendor gives to a charge condition or to one of its lines. The number is
 * optional (order spec 2.4, 2.5); without it, the part is the position in the list, such as `p1`.
 */
function numberOf(row: { readonly sequenceNumber?: number | null }, place: number): string {
  return typeof row.sequenceNumber === 'number' ? String(row.sequenceNumber) : `p${place + 1}`;
}

/** Makes a charge line's key unique: if another line of the order already has this key, adds a suffix such as `#2`. */
function unlike(taken: Set<string>, key: string): string {
  let own = key;
  for (let again = 2; taken.has(own); again += 1) own = `${key}#${again}`;
  taken.add(own);
  return own;
}
