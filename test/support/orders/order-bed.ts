import type { VendorSimulatorOptions } from 'lockstep-simulators';
import { withLedger } from '../ledger/postgres.ts';
import { type OrderBed, orderBedOn } from './order-bed-on.ts';

export type { OrderBed };

/** The same on a ledger of the test's own. */
export async function openOrderBed(options: VendorSimulatorOptions = {}): Promise<OrderBed> {
  return orderBedOn((await withLedger()).ledger, options);
}
