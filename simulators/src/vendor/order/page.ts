import type { PageBounds } from '../page-bounds.ts';
import type { Page } from '../portfolio.ts';
import { type Answer, type Fault, found, invalid } from './refusals.ts';

const WHOLE = /^\d+$/;

export type OrderPageBounds = Required<PageBounds>;

/** `skip` (from 0) and `top` (1 to `maxTop`) of an order search (order spec 8), or their faults. */
export function readOrderPage(query: (name: string) => string | undefined, bounds: OrderPageBounds): Answer<Page> {
  const skip = query('skip') ?? '0';
  const top = query('top') ?? String(bounds.defaultTop);
  const faults: Fault[] = [];
  if (!WHOLE.test(skip)) faults.push({ detail: 'skip must be an integer from 0.', pointer: '/skip' });
  const isTopLegal = WHOLE.test(top) && Number(top) >= 1 && Number(top) <= bounds.maxTop;
  if (!isTopLegal) {
    faults.push({ detail: `top must be an integer from 1 to ${bounds.maxTop}.`, pointer: '/top' });
  }
  return faults.length > 0 ? invalid(faults) : found({ skip: Number(skip), top: Number(top) });
}
