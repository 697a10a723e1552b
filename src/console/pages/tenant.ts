import { html } from 'hono/html';
import { durationWords } from '../../domain/values/duration.ts';
import { unopenedText } from '../../operator/mapping/unopened-text.ts';
import type { TenantStatus } from '../../operator/status/status.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  duration,
  facts,
  type Html,
  idOf,
  number,
  type Piece,
  recordLink,
  section,
  stateBadge,
  table,
  tenantPath,
  time,
} from './parts.ts';
import { forPeople } from './people.ts';
import { backlogOf, callsOf, waitingOf } from './tenants.ts';

type Shown = { readonly status: TenantStatus; readonly at: string; readonly nameOf: NameOf };

export function tenantPage({ status, at, nameOf }: Shown, session: Session): Page {
  const { tenant } = status;
  const body = html`${section('Now', nowFacts(status, at))}
${needs(status)}
<div class="columns">${section('Streams', streams(status))}${section('Limits', limits(status))}</div>
${section(
  'Records that need a person',
  table(
    { caption: 'Records that need a person', none: 'Nothing waits for a person.' },
    ['Record', 'State', 'Why'],
    status.attention.map((record) => [
      recordLink(tenant, record, nameOf),
      stateBadge(record.state),
      html`${record.issues.map(({ message }) => html`<div>${forPeople(message, { tenant, id: idOf(record) })}</div>`)}`,
    ]),
  ),
)}
${controls(status, session)}`;
  return { title: tenant, session, tenant, at: '', follows: tenant, body };
}

function nowFacts(status: TenantStatus, now: string): Html {
  const { records, drift, orders } = status;
  const strong = (n: number): Html => html`<strong>${number(n)}</strong>`;
  return facts([
    ['In sync', strong(records['in-sync'] ?? 0)],
    ['Waiting for a person', html`<a href="${tenantPath(status.tenant)}/inbox">${strong(waitingOf(status))}</a>`],
    ['On the way', backlogOf(status, now)],
    ['Done in about', status.flow.backlog === null ? null : durationWords(status.flow.backlog.seconds)],
    ['Not shared any more', strong(records['detached'] ?? 0)],
    [
      'Drift of the last audit',
      drift === null
        ? 'no audit has ended'
        : html`${number(drift.records)}, ${number(drift.repaired)} on their way since ${time(drift.at)}`,
    ],
    [
      'Orders',
      orders === null ? null : `${number(orders.shown)} shown, ${number(orders.toRead + orders.toWrite)} under way`,
    ],
  ]);
}

/**
 * The list of a tenant's problems that people must know: pauses, failures, rows that Salesforce refuses, and changes in the org and at the
 * vendor. Empty if there are none.
 */
function needs(status: TenantStatus): Piece {
  const where = { tenant: status.tenant };
  const lines: readonly Html[] = [
    ...status.paused.map(({ group, since, reason, opens }) =>
      line(
        'paused',
        'warn',
        html`${group} since ${time(since)}: ${forPeople(reason, where)}; ${forPeople(opens, where)}`,
      ),
    ),
    ...streamLines(status),
    ...status.undelivered.map(({ channel, waiting, givenUp, error }) =>
      line(
        'notices',
        'bad',
        html`${channel}: ${number(waiting)} to be sent, ${number(givenUp)} given up (${error ?? 'no reason'})`,
      ),
    ),
    ...status.ownerNotices.map(({ notices, reason, repair }) =>
      line('owners', 'bad', html`${number(notices)} notices (${reason ?? 'no reason'}); ${forPeople(repair, where)}`),
    ),
    ...(status.org?.problems ?? []).map(({ verdict, what, repair }) =>
      line('org', verdict === 'fails' ? 'bad' : 'quiet', html`${forPeople(what, where)}; ${forPeople(repair, where)}`),
    ),
    ...(status.unopenedMapping === null
      ? []
      : [line('mapping', 'bad', html`${forPeople(unopenedText(status.unopenedMapping, status.tenant), where)}`)]),
    ...status.vendor.codes.map(({ field, code, repair }) =>
      line('vendor', 'warn', html`${field} has the unknown code ${code}; ${forPeople(repair, where)}`),
    ),
  ];
  return lines.length === 0 ? '' : section('What to know', html`<ul>${lines}</ul>`);
}

/**
 * Lines about a tenant's streams (regular reads of changed rows): one for each stream that fails, is late or is stopped; one for each
 * stream with rows that have no usable id; and one for each stream and reason for which Salesforce refuses rows.
 */
function streamLines(status: TenantStatus): readonly Html[] {
  return [
    ...status.failing.map(({ stream, code, at }) =>
      line('failing', 'warn', html`${stream} (${code}) at ${time(at)}; tried again`),
    ),
    ...status.overdue.map(({ stream, readAt }) =>
      line('overdue', 'bad', html`${stream} was read last at ${time(readAt)}`),
    ),
    ...status.stopped.map(({ stream, code, blames, since }) =>
      line(
        'stopped',
        'bad',
        html`${stream} since ${time(since)}: Salesforce refuses ${blames.join(', ') || 'it'} (${code})`,
      ),
    ),
    ...Object.entries(status.parkedRows).map(([stream, rows]) =>
      line('parked', 'bad', html`${number(rows)} rows of ${stream} without a usable id`),
    ),
    ...Object.entries(status.refusedRows).flatMap(([stream, reasons]) =>
      Object.entries(reasons).map(([reason, rows]) =>
        line('refused', 'bad', html`${number(rows)} rows of ${stream} (${reason})`),
      ),
    ),
  ];
}

function line(word: string, tone: 'warn' | 'bad' | 'quiet', text: Html): Html {
  return html`<li>${badge(word, tone)} ${text}</li>`;
}

function streams({ flow: { lag }, failing }: TenantStatus): Html {
  const isFailing = (name: string): boolean => failing.some(({ stream }) => stream === name);
  return table(
    { caption: 'Streams', none: 'No stream has been read yet.' },
    ['Stream', 'Read last', 'Now'],
    lag.map(({ stream, readAt, seconds }) => [
      stream,
      html`${time(readAt)} <span class="small">${duration(seconds)} ago</span>`,
      isFailing(stream) ? badge('failing', 'warn') : 'as planned',
    ]),
  );
}

function limits(status: TenantStatus): Html {
  return facts([
    ['Salesforce calls today', callsOf(status)],
    ...status.flow.quotas.map(({ quota, remaining, limit, until }): [string, Piece] => [
      quota,
      html`${remaining ?? '?'} of ${limit ?? '?'} left until ${time(until)}`,
    ]),
  ]);
}

function controls(status: TenantStatus, session: Session): Piece {
  const { tenant } = status;
  const { grants } = session.identity;
  if (!allows(grants, { role: 'operator', tenant })) return '';
  const own = { session, tenant, back: tenantPath(tenant) };
  const isByHand = status.paused.some(({ group }) => group === 'by-hand');
  const others = status.paused.filter(({ group }) => group !== 'by-hand').length + status.stopped.length;
  const isAdministrator = allows(grants, { role: 'administrator', tenant });
  const forms = section(
    'Pause and resume',
    others > 0 || Object.keys(status.refusedRows).length > 0
      ? actionForm({ ...own, verb: 'resume', button: 'Lift every pause', asks: `Lift every pause of ${tenant}?` })
      : '',
    isAdministrator
      ? actionForm({
          ...own,
          verb: isByHand ? 'tenants resume' : 'tenants pause',
          button: isByHand ? 'Let the tenant go on' : 'Pause the tenant',
          asks: isByHand ? `Let ${tenant} go on?` : `Pause all work of ${tenant}?`,
        })
      : html`<p class="small">An administrator of the tenant can pause it.</p>`,
  );
  return html`<div id="resume">${forms}</div>`;
}
