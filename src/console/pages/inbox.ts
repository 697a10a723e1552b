import { html } from 'hono/html';
import { NARROWABLE } from '../../domain/record/fields.ts';
import { isConflict } from '../../domain/record/issue.ts';
import type { Addresses } from '../../operator/explain/explain-record.ts';
import type { Inbox } from '../../operator/status/inbox.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  actionName,
  badge,
  type Html,
  idOf,
  number,
  type Piece,
  recordLink,
  stateBadge,
  table,
  tenantPath,
  time,
} from './parts.ts';
import { forPeople } from './people.ts';
import { fieldTitle } from './record-fields.ts';

type Asked = {
  readonly inbox: Inbox;
  readonly nameOf: NameOf;
  /** Addresses at which a person can edit a record. */
  readonly addresses: Pick<Addresses, 'crm' | 'vendor'>;
  readonly code: string | null;
  readonly limit: number;
};

/** The page of a tenant's records that wait for a person, by cause. */
export function inboxPage({ inbox, nameOf, addresses, code, limit }: Asked, session: Session): Page {
  const { tenant, causes } = inbox;
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const body =
    causes.length === 0
      ? html`<p class="lead">Nothing waits for anybody.</p>`
      : causes.map((cause) =>
          causeSection({ inbox, cause, nameOf, addresses, limit, isAlone: code !== null }, mayAct ? session : null),
        );
  const all = code === null ? '' : html`<p><a href="${tenantPath(tenant)}/inbox">All causes</a></p>`;
  return { title: `Inbox of ${tenant}`, session, tenant, at: 'inbox', follows: tenant, body: html`${all}${body}` };
}

type CauseShown = {
  readonly inbox: Inbox;
  readonly cause: Inbox['causes'][number];
  readonly nameOf: NameOf;
  readonly addresses: Asked['addresses'];
  readonly limit: number;
  readonly isAlone: boolean;
};

/**
 * The section of the inbox about one cause (a reason why records wait), with its records. `session`: the session of a person who may run
 * commands; null for other persons.
 */
function causeSection({ inbox, cause, nameOf, addresses, limit, isAlone }: CauseShown, session: Session | null): Html {
  const { tenant, records } = inbox;
  const { code, records: count, meaning, repair } = cause;
  const own = records.filter(({ issues }) => issues.some((issue) => issue.code === code));
  const form = `retry-${code}`;
  const path = `${tenantPath(tenant)}/inbox?code=${code}`;
  const rows = own.map((record): readonly Piece[] => [
    ...(session === null ? [] : [selectBox(form, record)]),
    recordLink(tenant, record, nameOf),
    stateBadge(record.state),
    html`${record.issues.filter((issue) => issue.code === code).map(({ message }) => html`<div>${forPeople(message, { tenant, id: idOf(record) })}</div>`)}`,
    editLinks(record, addresses),
    time(record.updatedAt),
  ]);
  const fields = [
    ...new Set(own.flatMap(({ issues }) => issues.filter((one) => one.code === code).map(({ field }) => field))),
  ];
  const select = html`<input type="checkbox" data-selects="retry-${code}" aria-label="Select all shown records of ${code}">`;
  return html`<section id="${code}"><h2>${isAlone ? code : html`<a href="${path}">${code}</a>`} ${badge(number(count), 'bad')}</h2>
<p>${sentence(meaning)} <strong>Repair:</strong> ${forPeople(repair, { tenant })}.${code === 'no-code-for-value' ? html` <a href="${tenantPath(tenant)}/mapping#codes">Stages and codes of the mapping</a>` : ''}</p>
${tableWith(select, session !== null, code, rows)}
${own.length < count ? html`<p><a href="${path}&limit=${Math.min(10_000, Math.max(100, limit * 5))}">Show more of ${number(count)}</a></p>` : ''}
${session === null ? '' : isConflict({ code }) ? html`<p><a href="${tenantPath(tenant)}/conflicts">Decide the conflicts</a></p>` : retryForms({ session, tenant, code, count, fields: fields.filter((one) => one !== null), form, path })}</section>`;
}

function tableWith(select: Html, mayAct: boolean, code: string, rows: readonly (readonly Piece[])[]): Html {
  const heads = ['Record', 'State', 'Why', 'Edit', 'Since'];
  if (!mayAct) return table({ caption: `Records with ${code}` }, heads, rows);
  return html`<div class="scroll" role="region" aria-label="Records with ${code}" tabindex="0"><table>
<caption class="for-readers">Records with ${code}</caption>
<thead><tr><th scope="col">${select}</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function selectBox(form: string, record: Inbox['records'][number]): Html {
  const id = idOf(record);
  return html`<input type="checkbox" name="ids" data-of="${form}" form="${form}" value="${id}" aria-label="Select ${id}">`;
}

/** Links to the Salesforce record and the vendor's record, where a person can edit them. */
function editLinks({ crmId, vendorId }: Inbox['records'][number], { crm, vendor }: Asked['addresses']): Html {
  const link = (text: string, url: string): Html => html`<div><a href="${url}" rel="noreferrer">${text}</a></div>`;
  return html`${crmId === null ? '' : link('Salesforce', `${crm}/${crmId}`)}${
    vendorId === null ? '' : link('vendor', `${vendor}/${encodeURIComponent(vendorId)}`)
  }`;
}

/** The part of a form with which a person sets a field of the selected records in Salesforce to another value. */
function correction(fields: readonly string[], form: string): Piece {
  const own = fields.filter((field) => (NARROWABLE as readonly string[]).includes(field));
  if (own.length === 0) return null;
  return html`<span class="either">or set <select name="field" aria-label="Field to set">${own.map(
    (field) => html`<option value="${field}">${fieldTitle(field)}</option>`,
  )}</select> to <input name="value" id="${form}-value" aria-label="The value, as Salesforce stores it" autocomplete="off"></span><button class="plain" formaction="/actions/${actionName('inbox correct')}">Set it and send</button>`;
}

type Retry = {
  readonly session: Session;
  readonly tenant: string;
  readonly code: string;
  readonly count: number;
  /** The fields that a person may correct here: those that this cause of waiting concerns. */
  readonly fields: readonly string[];
  readonly form: string;
  readonly path: string;
};

function retryForms({ session, tenant, code, count, fields, form, path }: Retry): Html {
  const own = { session, tenant, back: path };
  const most = Math.min(count, 10_000);
  return html`${actionForm({ ...own, verb: 'sync', button: 'Send the selected again', id: form, also: correction(fields, form) })}
${actionForm({
  ...own,
  ...{ verb: 'inbox retry', id: `all-${code}`, button: `Send all ${number(most)} again` },
  hidden: { code, limit: String(most) },
  asks: `Send ${number(most)} records with ${code} again?`,
})}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
