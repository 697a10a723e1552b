import { InvalidArgumentError, Option } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { dayEnd } from '../../domain/values/date.ts';
import {
  type FindOrderPorts,
  type FuturePrices,
  findOrder,
  linkOrders,
  type OrdersFound,
  openOrders,
} from '../../operator/records/find-order.ts';
import type { SearchOrdersInput } from '../../partner-api/index.ts';
import { CliError, EXIT } from '../exit.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { readOpportunityId } from '../record-ids.ts';

type Options = {
  readonly tenant?: string;
  readonly po?: readonly string[];
  readonly installedBase?: string;
  readonly seat?: string;
  readonly bookedFrom?: string;
  readonly bookedTo?: string;
  readonly type?: 'PO' | 'RN';
  readonly open?: true;
  readonly order?: readonly string[];
  readonly link?: string;
};

/** `lockstep find-order`: searches the vendor's orders, and links those found to an opportunity. */
export const addFindOrder = operatorVerb({
  name: 'find-order',
  example: `Examples:
  lockstep find-order --po PO-4711
  lockstep find-order --seat SEAT-1 --type RN
  lockstep find-order --booked-from 2026-11-01 --booked-to 2026-11-07
  lockstep find-order --po PO-4711 --link 006Hs00001ABCDEIA5
  lockstep find-order --open                                        lists the orders that belong to no opportunity
  lockstep find-order --order 1000001 --link 006Hs00001ABCDEIA5

All criteria that are given have to fit; one besides --type is needed. A booking window has at most 7 days. For an order without an
opportunity, the opportunities of its account that have its amount are proposed: decide, and link it. The worker writes a link at its
next pull of orders. If the vendor names the opportunity of an order, its word counts.`,
  takes: (command) =>
    tenantOption(command)
      .option('--po <reference...>', "your own order numbers (the vendor's billToPoReference)")
      .option('--installed-base <number>', 'number of an installed base')
      .option('--seat <id>', 'a cloud instance, or a seat')
      .option('--booked-from <time>', 'booked at or after this day or instant', readTime)
      .option('--booked-to <time>', 'booked at or before this day or instant', readEnd)
      .addOption(new Option('--type <type>', 'orders, or renewals').choices(['PO', 'RN']))
      .option('--open', 'the orders that the CRM shows without an opportunity, with proposals')
      .option('--order <order...>', 'with --link: orders of the CRM, as the vendor numbers them')
      .option('--link <opportunity>', 'link the found orders to this opportunity', readOpportunityId),
  run: async (tools, options: Options) => {
    const { tenant } = await tools.tenant(options.tenant);
    const [remote, ledger] = [await tools.remote(options.tenant), await tools.ledger()];
    const { vendor, crm } = await tools.readable(options.tenant);
    const ports = { vendor, crm, remote, ledger, now: tools.now };
    return { shape: 'find-order/1', ...(await found(ports, tenant, options)) } as const;
  },
  effect: ({ tenant, link }) => (link === undefined ? null : { tenant: { given: tenant }, details: { crmId: link } }),
  lines: (found) => foundLines(found),
  needsAttention: ({ orders }) => orders.length === 0,
});

async function found(ports: FindOrderPorts, tenant: string, options: Options): Promise<OrdersFound> {
  const { open = false, order, link } = options;
  const isUnclear = open ? order !== undefined || link !== undefined : order !== undefined && link === undefined;
  if (isUnclear) throw new CliError('Give --open alone, or --order with --link.', EXIT.usage);
  if (open) return openOrders(ports, tenant);
  if (order !== undefined && link !== undefined) return linkOrders(ports, tenant, order, link);
  return findOrder(ports, tenant, criteriaOf(options), link ?? null);
}

function criteriaOf({ po, installedBase, seat, bookedFrom, bookedTo, type }: Options): SearchOrdersInput {
  const isBooked = bookedFrom !== undefined || bookedTo !== undefined;
  return {
    ...(po !== undefined && { billToPoReferences: po }),
    ...(installedBase !== undefined && { installedBaseNumber: installedBase }),
    ...(seat !== undefined && { onlineInstanceSeatId: seat }),
    ...(isBooked && { bookingDateTime: { from: bookedFrom, to: bookedTo } }),
    ...(type !== undefined && { transactionType: type }),
  };
}

/** Parses an instant. A day without a time stands for the end of that day, so that orders of that day are included. */
function readEnd(text: string): string {
  return readTime(dayEnd(text));
}

function readTime(text: string): string {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It is no day or instant, such as 2026-11-01.');
  return time.toISOString();
}

/** Whether a text from the vendor is safe inside a command that an operator copies into a shell. */
function isPlain(text: string | null): boolean {
  return text !== null && /^[\w.-]{1,60}$/.test(text);
}

function priceLine({ from, today, future, difference, currency }: FuturePrices): string {
  const sign = difference > 0 ? '+' : '';
  return `${future} ${currency} at the prices from ${from}, instead of ${today} (${sign}${difference}); standard discount, no adjustments`;
}

export function foundLines({ tenant, orders, hasMore, linkedTo }: OrdersFound): readonly string[] {
  const linked = linkedTo === null ? '' : `, linked to ${linkedTo}: the CRM shows it after the next pull of orders`;
  return [
    `${tenant}: ${counted(orders.length, 'order')} found${hasMore ? ', and the vendor has more' : ''}${linked}`,
    ...orders.flatMap(({ id, type, status, poReference, bookedAt, opportunityId, futurePrices, proposals }) => [
      `  ${id}  ${type} ${status}${poReference === null ? '' : `, PO reference ${poReference}`}${bookedAt === null ? '' : `, booked ${bookedAt}`}`,
      ...(opportunityId === null ? [] : [`    opportunity ${opportunityId}`]),
      ...(futurePrices === null ? [] : [`    ${priceLine(futurePrices)}`]),
      ...proposals.map(
        (proposal) =>
          `    perhaps ${proposal}: lockstep find-order --order ${isPlain(id) ? id : 'ORDER'} --link ${proposal}`,
      ),
    ]),
  ];
}
