import { html } from 'hono/html';
import type { OrdersFound } from '../../operator/records/find-order.ts';
import type { LoadReport } from '../../operator/runs/orders-load.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  choiceField,
  facts,
  type Html,
  number,
  type Piece,
  recordPath,
  section,
  table,
  tenantPath,
  time,
} from './parts.ts';
import { forPeople } from './people.ts';

type Shown = {
  readonly load: LoadReport;
  /** The orders of a search; null if nothing was searched. */
  readonly found: OrdersFound | null;
  /** Why the search was refused; null if it was not. */
  readonly refusal: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly nameOf: NameOf;
};

/**
 * The page of the vendor's orders: the progress of the first load (of orders from before the tenant was connected), a search, and the
 * orders that belong to no opportunity.
 */
export function ordersPage({ load, found, refusal, query, nameOf }: Shown, session: Session): Page {
  const { tenant } = load;
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const path = `${tenantPath(tenant)}/orders`;
  const body = html`${section('Find an order', search(path, query), html`<p><a href="${path}?open=true">Orders without an opportunity</a></p>`)}
${refusal === null ? '' : html`<p class="note bad" role="status">${forPeople(refusal, { tenant })}</p>`}
${found === null ? '' : section('Found', foundTable(found, nameOf, mayAct ? session : null))}
${section('First load', loadFacts(load), mayAct ? loadForm(load, session, path) : null)}`;
  return { title: `Orders of ${tenant}`, session, tenant, at: 'orders', body };
}

function search(path: string, query: Readonly<Record<string, string>>): Html {
  const field = (name: string, label: string, type: 'text' | 'date'): Html =>
    html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="off" value="${query[name] ?? ''}">`;
  return html`<form method="get" action="${path}" class="action" role="search" aria-label="Find an order">${field('po', 'Your order number', 'text')}${field('installedBase', 'Installed base', 'text')}${field('seat', 'Instance or seat', 'text')}${field('bookedFrom', 'Booked from', 'date')}${field('bookedTo', 'to', 'date')}${choiceField(
    'type',
    'Kind',
    [
      ['', 'all'],
      ['PO', 'orders'],
      ['RN', 'renewals'],
    ],
  )}<button>Search</button></form>`;
}

function foundTable({ tenant, orders, hasMore }: OrdersFound, nameOf: NameOf, session: Session | null): Html {
  const deal = (crmId: string): Html => html`<a href="${recordPath(tenant, crmId)}">${nameOf(crmId) ?? crmId}</a>`;
  const rows = orders.map(({ id, type, status, poReference, bookedAt, opportunityId, proposals }): readonly Piece[] => [
    id,
    `${type} ${status}`.trim() || '–',
    poReference ?? '–',
    time(bookedAt),
    opportunityId === null
      ? html`${proposals.map((one) => html`<div>perhaps ${deal(one)}</div>`)}${session === null ? '' : linkForm(session, tenant, { id, proposals })}`
      : deal(opportunityId),
  ]);
  const more = hasMore ? html`<p class="small">There are more: narrow the search.</p>` : '';
  return html`${table({ caption: 'Orders', none: 'No order fits.', isStacked: true }, ['Order', 'Kind', 'Your number', 'Booked', 'Opportunity'], rows)}${more}`;
}

function linkForm(
  session: Session,
  tenant: string,
  { id, proposals: [proposal = ''] }: { readonly id: string; readonly proposals: readonly string[] },
): Html {
  const name = `order-${id}`.replaceAll(/[^\w-]/g, '-');
  const fields = html`<label for="${name}-of">Opportunity</label><input id="${name}-of" name="crmId" required autocomplete="off" value="${proposal}">`;
  return actionForm({
    ...{ session, tenant, verb: 'find-order link', button: 'Link', id: name, fields },
    ...{ hidden: { orders: id }, back: `${tenantPath(tenant)}/orders?open=true`, isPlain: true },
  });
}

const TONES = { none: 'quiet', running: 'warn', paused: 'warn', done: 'good' } as const;

function loadFacts({ state, since, searchedUntil, percent, toRead, pausedSince }: LoadReport): Html {
  if (state === 'none')
    return html`<p class="none">The tenant’s file names no day since which orders are loaded (vendor.ordersSince).</p>`;
  return html`<p>${badge(state, TONES[state])} Orders since ${since ?? '–'}</p>${facts([
    ['Searched to', searchedUntil === null ? 'not yet' : html`${time(searchedUntil)} (${percent ?? 0} %)`],
    ['Still to be read', number(toRead)],
    ['Paused since', pausedSince === null ? null : time(pausedSince)],
  ])}`;
}

function loadForm({ tenant, state }: LoadReport, session: Session, back: string): Piece {
  if (state !== 'running' && state !== 'paused') return null;
  const isPaused = state === 'paused';
  const verb = isPaused ? 'load-orders resume' : 'load-orders pause';
  return actionForm({ session, tenant, back, verb, button: isPaused ? 'Let the load go on' : 'Pause the load' });
}
