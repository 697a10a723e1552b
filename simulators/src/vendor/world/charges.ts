import type { Random } from '../../core/random.ts';
import type { Catalog, CatalogPrice } from '../order/catalog.ts';
import type { ChargeBreakdown, ChargeCondition } from '../order/order.ts';
import names from './names.json' with { type: 'json' };
import type { Sketch } from './sketch.ts';

const DAY_MS = 86_400_000;
const YEAR_DAYS = 360;
/** Days from the creation of a renewal to its start. A forecast is created more than 90 days before (order spec 2.6). */
const LEAD_DAYS = { forecast: 120, renewal: 60 } as const;

/** The charge conditions of a sketched order with their breakdown (order spec 2.4, 2.5). */
export function generateConditions(random: Random, sketch: Sketch, catalog: Catalog): readonly ChargeCondition[] {
  return sketch.conditions.map(({ seat, bases }, at) => ({
    sequenceNumber: at + 1,
    lineGroup: `G${at + 1}`,
    ...(seat !== undefined && { onlineInstanceSeatId: seat }),
    orderType: sketch.type === 'RN' ? 'REN' : random.pick(['NEW', 'NEW', 'MIGS', 'EVAL', 'STOI', 'TEP']),
    usageScope: 'Commercial',
    ...optionalPromotion(random),
    ...optionalWaiver(random, sketch.creationMs),
    licenseChargeBreakdown: bases.map((installedBaseNumber, nth) => ({
      sequenceNumber: nth + 1,
      installedBaseNumber,
      ...generateBreakdown(random, sketch, catalog),
    })),
  }));
}

function optionalPromotion(random: Random): Pick<ChargeCondition, 'promotion'> {
  if (random.next() >= 0.2) return {};
  const [id = '', name = ''] = random.pick(names.promotions);
  return { promotion: { id, name, combination: 'Exclusive' } };
}

function optionalWaiver(random: Random, startMs: number): Pick<ChargeCondition, 'waiver'> {
  const drawn = random.next();
  if (drawn < 0.1) return { waiver: { duration: random.integer(1, 6) } };
  return drawn < 0.2 ? { waiver: { endDate: day(startMs + 90 * DAY_MS) } } : {};
}

function generateBreakdown(random: Random, sketch: Sketch, catalog: Catalog): Omit<ChargeBreakdown, 'sequenceNumber'> {
  const product = random.pick(catalog.products);
  const price = random.pick(product.prices);
  const { trigram, type, number, name, dsOffering } = product;
  const startMs = startOf(sketch);
  const [startDate, endDate] = [day(startMs), day(startMs + YEAR_DAYS * DAY_MS)];
  const ratio = 1 + random.integer(10, 45) / 1000;
  return {
    subOrderType: random.pick(['NEW', 'NEW', 'CHCH', 'CHVR', 'INIT', 'EVAL']),
    revenueType: price.revenueType,
    portfolio: product.portfolio,
    release: product.releases.at(-1)?.name ?? '',
    product: { trigram, type, number, name, dsOffering },
    ...generateAmounts(price, random.integer(1, 20)),
    startDate,
    endDate,
    calculatedStartDate: startDate,
    calculatedEndDate: endDate,
    duration: 12,
    yearNumber: 1,
    ...(random.next() < 0.15 && { coupon: { name: 'WELCOME', discountPercentage: 5 } }),
    ...(sketch.type === 'RN' && {
      inflation: { date: startDate, ratio, exception: random.pick(['NON', 'CAP']) },
    }),
  };
}

function startOf({ type, status, creationMs }: Sketch): number {
  if (type === 'PO') return creationMs;
  return creationMs + (status === 'FRST' ? LEAD_DAYS.forecast : LEAD_DAYS.renewal) * DAY_MS;
}

function generateAmounts({ listCents, discountPercentage }: CatalogPrice, quantity: number) {
  const total = (listCents * quantity) / 100;
  const net = Math.round(total * (100 - discountPercentage)) / 100;
  const customer = Math.round(total * 90) / 100;
  return {
    quantity,
    unitListPrice: listCents / 100,
    totalListPrice: total,
    distributorNetAmount: net,
    distributorAnnualAmount: net,
    distributorDiscountPercentage: discountPercentage,
    // Not rounded, because the vendor's serialization has trailing digits too (order spec 2.5).
    distributorMaximumMarginPercentage: ((customer - net) / customer) * 100,
    customerMaximumNetAmount: customer,
    customerMaximumAnnualAmount: customer,
    customerMinimumDiscountPercentage: 10,
  };
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
