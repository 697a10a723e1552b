import { InvalidArgumentError, Option } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { findOrder, type OrdersFound } from '../../operator/records/find-order.ts';
import type { SearchOrdersInput } from '../../partner-api/index.ts';
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

All criteria that are given have to fit; one besides --type is needed. A booking window has at most 7 days. For an order without an
opportunity, the opportunities of its account that have its amount are proposed: decide, and link it. The worker writes a link at its
next pull of orders. If the vendor names the opportunity of an order, its word counts.`,
  takes: (command) =>
    tenantOption(command)
      .option('--po <reference...>', "your own order numbers (the vendor's billToPoReference)")
      .option('--installed-base <number>', 'number of an installed base')
      .option('--seat <id>', 'a cloud instance, or a seat')
      .option('--booked-from <time>', 'booked at or after this day or instant', readTime)
      .option('--booked-to <time>', 'booked at or before this day or instant', readTime)
      .addOption(new Option('--type <type>', 'orders, or renewals').choices(['PO', 'RN']))
      .option('--link <opportunity>', 'link the found orders to this opportunity', readOpportunityId),
  run: async (tools, options: Options) => {
    const { tenant } = await tools.tenant(options.tenant);
    const [remote, ledger] = [await tools.remote(options.tenant), await tools.ledger()];
    const { vendor, crm } = await tools.readable(options.tenant);
    const ports = { vendor, crm, remote, ledger, now: tools.now };
    const found = await findOrder(ports, tenant, criteriaOf(options), options.link ?? null);
    return { shape: 'find-order/1', ...found } as const;
  },
  effect: ({ tenant, link }) => (link === undefined ? null : { tenant: { given: tenant }, details: { crmId: link } }),
  lines: (found) => foundLines(found),
  needsAttention: ({ orders }) => orders.length === 0,
});

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

export function foundLines({ tenant, orders, hasMore, linkedTo }: OrdersFound): readonly string[] {
  const linked = linkedTo === null ? '' : `, linked to ${linkedTo}: the CRM shows it after the next pull of orders`;
  return [
    `${tenant}: ${counted(orders.length, 'order')} found${hasMore ? ', and the vendor has more' : ''}${linked}`,
    ...orders.flatMap(({ id, type, status, poReference, bookedAt, opportunityId, proposals }) => [
      `  ${id}  ${type} ${status}${poReference === null ? '' : `, PO reference ${poReference}`}${bookedAt === null ? '' : `, booked ${bookedAt}`}`,
      ...(opportunityId === null ? [] : [`    opportunity ${opportunityId}`]),
      ...proposals.map(
        (proposal) =>
          `    perhaps ${proposal}: lockstep find-order --po ${isPlain(poReference) ? poReference : 'REFERENCE'} --link ${proposal}`,
      ),
    ]),
  ];
}
