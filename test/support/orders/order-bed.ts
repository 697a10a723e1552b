import type { VendorSimulatorOptions } from 'lockstep-simulators';
import { afterAll } from 'vitest';
import { withLedger } from '../ledger/postgres.ts';
import { type OrderBed, orderBedOn } from './order-bed-on.ts';

export type { OrderBed };

/** An order bed on its own ledger, closed after the file's last test. `url` is the database's address. */
export async function openOrderBed(options: VendorSimulatorOptions = {}): Promise<OrderBed & { readonly url: string }> {
  const { ledger, url } = await withLedger();
  const bed = await orderBedOn(ledger, options);
  afterAll(() => bed.close());
  return { ...bed, url };
}
