import type { Order, OrderSummary } from './order.ts';

/** The fields of an order that searches need. The whole order is generated or fetched only when it is shown. */
export type OrderHead = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly creationMs: number;
  /** Booking time; NaN while the order is not booked. */
  readonly bookingMs: number;
  readonly lastUpdateMs: number;
  readonly reference: string | undefined;
  readonly bases: readonly string[];
  readonly seats: readonly string[];
  readonly summary: () => OrderSummary;
  readonly order: () => Order;
};

/** The head of an order that exists as a whole. */
export function headOf(order: Order): OrderHead {
  const conditions = order.licenseChargeConditions;
  return {
    id: order.transaction.id,
    type: order.transaction.type,
    status: order.transaction.status,
    creationMs: Date.parse(order.creationDateTime),
    bookingMs: order.bookingDateTime === undefined ? Number.NaN : Date.parse(order.bookingDateTime),
    lastUpdateMs: Date.parse(order.lastUpdateDateTime),
    reference: order.billToPoReference,
    bases: conditions.flatMap((condition) =>
      condition.licenseChargeBreakdown.flatMap(({ installedBaseNumber }) => installedBaseNumber ?? []),
    ),
    seats: conditions.flatMap(({ onlineInstanceSeatId }) => onlineInstanceSeatId ?? []),
    summary: () => order,
    order: () => order,
  };
}
