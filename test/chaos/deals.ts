/** What the load knows of each deal: who edits which field, and what was written there last. */

import type { Random } from 'lockstep-simulators/testing';
import { STATUS_NAMES, STATUSES } from '../../src/domain/values/status.ts';

export type Side = 'crm' | 'vendor';

export const FIELDS = ['name', 'status', 'closeDate', 'campaign', 'milestone', 'amount'] as const;
export type Field = (typeof FIELDS)[number];

export type Deal = {
  /** Its number in this run, part of its name. */
  readonly number: number;
  readonly origin: Side;
  /** The only side that edits a field after the import, so that the last edit is known without a rule of conflicts. */
  readonly editor: Readonly<Record<Field, Side>>;
  /** By side and field: the value written last, in the vendor's spelling. */
  readonly expected: Record<Field, string>;
  crmId: string | null;
  vendorId: string | null;
};

/** The stages that the load moves deals through, by the vendor's status: the demo tenant's code of each is its name. */
export const STAGE_OF: Readonly<Record<string, string>> = Object.fromEntries(
  STATUS_NAMES.filter((name) => STATUSES[name].phase === 'opportunity').map((name) => [name, STATUSES[name].stages[0]]),
);

export function newDeal(number: number, random: Random): Deal {
  const side = (): Side => (random.next() < 0.5 ? 'crm' : 'vendor');
  return {
    number,
    origin: random.next() < 0.6 ? 'crm' : 'vendor',
    editor: {
      name: side(),
      status: side(),
      closeDate: side(),
      campaign: side(),
      milestone: side(),
      amount: side(),
    },
    expected: {
      name: `Deal ${number}`,
      status: 'OPPY_OPEN',
      closeDate: '2027-03-31',
      campaign: '',
      milestone: '',
      amount: '12500.50',
    },
    crmId: null,
    vendorId: null,
  };
}

/** A value that the field did not hold before. */
export function newValue(deal: Deal, field: Field, edit: number, random: Random): string {
  switch (field) {
    case 'status':
      return random.pick(Object.keys(STAGE_OF).filter((status) => status !== deal.expected.status));
    case 'closeDate':
      return new Date(Date.UTC(2027, 3, 1 + edit)).toISOString().slice(0, 10);
    case 'amount':
      return `${random.integer(1, 90_000)}.${String(edit % 100).padStart(2, '0')}`;
    case 'name':
      return `Deal ${deal.number}, edit ${edit}`;
    case 'campaign':
    case 'milestone':
      return `${field} ${edit}`;
  }
}
