import { Argument } from 'commander';
import type { LoadWord } from '../../domain/streams/orders-load.ts';
import { counted } from '../../domain/values/counted.ts';
import { controlOrdersLoad, type LoadReport, ordersLoad } from '../../operator/runs/orders-load.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';

/** `lockstep load-orders <what> [tenant]`: shows, pauses or resumes the first load of the vendor's orders. Other work continues. */
export const addLoadOrders = operatorVerb({
  name: 'load-orders',
  example: `Examples:
  lockstep load-orders status acme
  lockstep load-orders pause acme
  lockstep load-orders resume acme

The first load searches the orders since the tenant file's day (vendor.ordersSince) and reads each order. A paused load sends
the vendor no request, for as long as you like, and keeps its place; orders that it has read are written. Orders that change
meanwhile are synced as usual. The load runs in the worker and continues after the worker's restart.`,
  takes: (command) =>
    tenantArgument(command.addArgument(new Argument('<what>', 'what to do').choices(['status', 'pause', 'resume']))),
  run: async (tools, what: 'status' | LoadWord, name: string | undefined, options: { readonly tenant?: string }) => {
    const tenant = await tools.tenant(name ?? options.tenant);
    const ledger = await tools.ledger();
    if (what === 'status') return ordersLoad(ledger, tenant, tools.now());
    const starts = await tools.streamStarts();
    return controlOrdersLoad({ ledger, starts }, tenant, what, tools.now());
  },
  effect: (what, name, { tenant }) => (what === 'status' ? null : { word: what, tenant: { given: name ?? tenant } }),
  lines: loadLines,
});

export function loadLines(result: LoadReport): readonly string[] {
  const { tenant, state } = result;
  return [
    `${tenant}: ${sentenceOf(result)}`,
    ...(result.since !== null && result.since < HIDDEN_BEFORE ? [`  ${HIDDEN_ORDERS}`] : []),
    ...(state === 'paused'
      ? [`  orders that change are read all the same; to let it go on: lockstep load-orders resume ${tenant}`]
      : []),
    ...(state === 'running' ? [`  it goes on in the worker; to hold it: lockstep load-orders pause ${tenant}`] : []),
  ];
}

/**
 * The vendor hides orders of one of its cloud products that were created before this date (order spec 1). If the first load begins at an
 * earlier date, `loadLines` adds `HIDDEN_ORDERS`.
 */
const HIDDEN_BEFORE = '2020-07-20';
const HIDDEN_ORDERS = `the vendor does not show orders of one of its cloud products that were created before ${HIDDEN_BEFORE}`;

function sentenceOf(result: LoadReport): string {
  const { state, since, changed, asked, pausedSince } = result;
  const load = `the first load of orders${since === null ? '' : ` since ${since}`}`;
  const already = asked !== null && !changed ? ' already' : '';
  switch (state) {
    case 'none':
      return 'there is no first load of orders: the tenant file names no day (vendor.ordersSince).';
    case 'done':
      return `${load} is done${asked === null || changed ? '' : ', and not paused'}.`;
    case 'paused':
      return `${load} is paused${already} by an operator since ${pausedSince}: ${progressOf(result)}.`;
    case 'running':
      return `${load} ${runsHow(result)}: ${progressOf(result)}.`;
  }
}

function runsHow({ asked, changed }: LoadReport): string {
  if (asked === null) return 'is under way';
  return changed ? 'goes on' : 'is not paused, and under way';
}

function progressOf({ searchedUntil, percent, toRead }: LoadReport): string {
  const searched = searchedUntil === null ? 'not searched yet' : `searched to ${searchedUntil} (${percent} %)`;
  return `${searched}, ${counted(toRead, 'order')} still to be read`;
}
