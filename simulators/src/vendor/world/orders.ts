import { createRandom, type Random } from '../../core/random.ts';
import type { Catalog } from '../order/catalog.ts';
import { BILLING_CYCLES } from '../order/codes.ts';
import type { Order, OrderSummary, Site } from '../order/order.ts';
import type { OrderHead } from '../order/order-head.ts';
import { generateConditions } from './charges.ts';
import names from './names.json' with { type: 'json' };
import { type Sketch, sketchOrder, type WantedOrder, withWanted } from './sketch.ts';

const DAY_MS = 86_400_000;

export type WorldOptions = {
  readonly seed: number | string;
  readonly now: Date;
  readonly catalog: Catalog;
};

/** Orders of both types over the last months. The same seed, count and instant give the same orders. */
export function generateHeads(count: number, options: WorldOptions): readonly OrderHead[] {
  const nowMs = options.now.getTime();
  return Array.from({ length: count }, (_, index) => {
    const sketch = sketchOrder(options.seed, index, nowMs);
    const { id, type, status, creationMs, bookingMs, lastUpdateMs, reference, conditions } = sketch;
    const [bases, seats]: [string[], string[]] = [[], []];
    for (const condition of conditions) {
      bases.push(...condition.bases);
      if (condition.seat !== undefined) seats.push(condition.seat);
    }
    // Copied key by key, because spreading a hundred thousand sketches takes as long as making them.
    return {
      id,
      type,
      status,
      creationMs,
      bookingMs,
      lastUpdateMs,
      reference,
      bases,
      seats,
      summary: () => summaryAt(index, options),
      order: () => generateOrder(index, options),
    };
  });
}

/** One whole order; `index` makes it different from all others of the same world. */
export function generateOrder(index: number, options: WorldOptions, wanted: WantedOrder = {}): Order {
  const sketch = withWanted(sketchOrder(options.seed, index, options.now.getTime()), index, wanted);
  const random = createRandom(`detail:${options.seed}:${index}`);
  return {
    ...generateSummary(random, sketch),
    ...generateTerms(random, sketch),
    licenseChargeConditions: generateConditions(random, sketch, options.catalog),
  };
}

/** The summary of an order, which is several times faster to generate than the whole order. */
function summaryAt(index: number, { seed, now }: WorldOptions): OrderSummary {
  return generateSummary(createRandom(`detail:${seed}:${index}`), sketchOrder(seed, index, now.getTime()));
}

function generateSummary(random: Random, sketch: Sketch): OrderSummary {
  const unit = random.pick(names.units);
  const isOnline = sketch.conditions.some(({ seat }) => seat !== undefined);
  return {
    transaction: {
      id: sketch.id,
      type: sketch.type,
      status: sketch.status,
      description: sketch.type === 'PO' ? 'Purchase order' : 'Renewal of yearly licenses',
    },
    businessUnit: { id: unit[0] ?? '', name: unit[1] ?? '', localTimezone: unit[2] ?? '' },
    billToSite: {
      id: 'LE0000001',
      name: 'Partner Systems SAS',
      localName: 'Partner Systèmes',
      locationId: 1,
    },
    soldToSite: pickSite(random),
    creationDateTime: iso(sketch.creationMs),
    dsReceivedPoDate: iso(sketch.creationMs).slice(0, 10),
    ...(!Number.isNaN(sketch.bookingMs) && { bookingDateTime: iso(sketch.bookingMs) }),
    lastUpdateDateTime: iso(sketch.lastUpdateMs),
    currency: random.pick(['EUR', 'USD', 'GBP', 'JPY']),
    onlineConsentStatus: isOnline ? random.pick(['A', 'T', 'X', 'N', 'R', 'S']) : '',
    billToSalesRepresentative: random.pick(names.people),
    billToPoReference: sketch.reference,
  };
}

function generateTerms(random: Random, { creationMs }: Sketch) {
  const isMultiYear = random.next() < 0.2;
  return {
    agreement: { type: random.pick(names.agreements), reference: `AGR-${random.integer(1000, 9999)}` },
    billToContact: random.pick(names.people),
    ...(random.next() < 0.3 && { sboNumber: `SBO${random.integer(100_000, 999_999)}` }),
    customerRequestedArrivalDate: iso(creationMs + 14 * DAY_MS).slice(0, 10),
    dsSalesRepresentative: random.pick(names.people),
    isMultiYear,
    hasExitClause: isMultiYear && random.next() < 0.5,
    recurringChargeBillingCycle: random.pick(Object.keys(BILLING_CYCLES)),
    ...(random.next() < 0.25 && { opportunityId: `LO-${String(random.integer(1, 40)).padStart(8, '0')}` }),
    paymentTerms: random.pick(['30 days net', '45 days end of month', '60 days net']),
  };
}

function pickSite(random: Random): Site {
  const at = random.integer(0, names.customers.length - 1);
  const name = String(names.customers[at]?.[0]);
  return { id: `LE${String(1000 + at)}`, name, localName: name, locationId: random.integer(1, 9) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
