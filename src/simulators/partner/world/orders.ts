import { createRandom, type Random } from '../../core/random.ts';
import type { Catalog } from '../order/catalog.ts';
import { BILLING_CYCLES, ORDER_STATUSES, V1_ONLY_STATUS } from '../order/codes.ts';
import type { Order, Site } from '../order/order.ts';
import { generateConditions } from './charges.ts';
import names from './names.json' with { type: 'json' };

const DAY_MS = 86_400_000;
/** Orders lie within this many days before the day of the seed. */
const HISTORY_DAYS = 180;
const BOOKED: readonly string[] = ['APP'];
const STATUSES = Object.keys(ORDER_STATUSES);
/** How rare the legacy status is. */
const LEGACY_SHARE = 0.01;

export type WorldOptions = {
  readonly seed: number | string;
  readonly count: number;
  readonly now: Date;
  readonly catalog: Catalog;
};

/** Orders of both types over the last months; the same for the same seed, count and instant. */
export function generateOrders(options: WorldOptions): readonly Order[] {
  return Array.from({ length: options.count }, (_, index) => generateOrder(index, options));
}

/** One order; `index` makes it different from all others of the same world. */
export function generateOrder(index: number, { seed, now, catalog }: WorldOptions): Order {
  const random = createRandom(`order:${seed}:${index}`);
  const type = random.next() < 0.7 ? 'PO' : 'RN';
  const createdMs = now.getTime() - Math.floor(random.next() * HISTORY_DAYS * DAY_MS) - 1000;
  const status = pickStatus(random, type);
  const bookedMs = createdMs + Math.floor(random.next() * (now.getTime() - createdMs) * 0.5);
  const isBooked = BOOKED.includes(status);
  const updatedMs = Math.max(bookedMs, createdMs + Math.floor(random.next() * (now.getTime() - createdMs)));
  const unit = random.pick(names.units);
  const isOnline = random.next() < 0.5;
  return {
    transaction: {
      id: `${type}-${String(index + 1).padStart(8, '0')}`,
      type,
      status,
      description: type === 'PO' ? 'Purchase order' : 'Renewal of yearly licenses',
    },
    businessUnit: { id: unit[0] ?? '', name: unit[1] ?? '', localTimezone: unit[2] ?? '' },
    billToSite: {
      id: 'LE0000001',
      name: 'Partner Systems SAS',
      localName: 'Partner Systèmes',
      locationId: 1,
    },
    soldToSite: pickSite(random),
    creationDateTime: iso(createdMs),
    dsReceivedPoDate: iso(createdMs).slice(0, 10),
    ...(isBooked && { bookingDateTime: iso(bookedMs) }),
    lastUpdateDateTime: iso(updatedMs),
    currency: random.pick(['EUR', 'USD', 'GBP', 'JPY']),
    onlineConsentStatus: isOnline ? random.pick(['A', 'T', 'X', 'N', 'R', 'S']) : '',
    billToSalesRepresentative: random.pick(names.people),
    billToPoReference: `REF-${String(index + 1).padStart(6, '0')}`,
    ...generateTerms(random, createdMs),
    licenseChargeConditions: generateConditions(random, { type, isOnline, startMs: createdMs, catalog }),
  };
}

function generateTerms(random: Random, createdMs: number) {
  const isMultiYear = random.next() < 0.2;
  return {
    agreement: { type: random.pick(names.agreements), reference: `AGR-${random.integer(1000, 9999)}` },
    billToContact: random.pick(names.people),
    ...(random.next() < 0.3 && { sboNumber: `SBO${random.integer(100_000, 999_999)}` }),
    customerRequestedArrivalDate: iso(createdMs + 14 * DAY_MS).slice(0, 10),
    dsSalesRepresentative: random.pick(names.people),
    isMultiYear,
    hasExitClause: isMultiYear && random.next() < 0.5,
    recurringChargeBillingCycle: random.pick(Object.keys(BILLING_CYCLES)),
    ...(random.next() < 0.25 && { opportunityId: `LO-${String(random.integer(1, 40)).padStart(8, '0')}` }),
    paymentTerms: random.pick(['30 days net', '45 days end of month', '60 days net']),
  };
}

function pickStatus(random: Random, type: 'PO' | 'RN'): string {
  const drawn = random.next();
  if (drawn < LEGACY_SHARE) return V1_ONLY_STATUS;
  if (drawn < 0.5) return 'APP';
  if (type === 'RN' && drawn < 0.65) return 'FRST';
  return random.pick(STATUSES);
}

function pickSite(random: Random): Site {
  const at = random.integer(0, names.customers.length - 1);
  const name = String(names.customers[at]?.[0]);
  return { id: `LE${String(1000 + at)}`, name, localName: name, locationId: random.integer(1, 9) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
