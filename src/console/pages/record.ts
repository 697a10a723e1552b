import { html } from 'hono/html';
import type { Explanation } from '../../operator/explain/explanation.ts';
import type { RecordHistory } from '../../operator/records/read-history.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Run } from '../ports.ts';
import type { Page } from './layout.ts';
import { linkForms } from './link-forms.ts';
import { actionForm, badge, facts, type Html, type Piece, recordPath, section, stateBadge, time } from './parts.ts';
import { forPeople } from './people.ts';
import { fieldsTable, fieldTitle } from './record-fields.ts';
import { historyList, runsTable } from './record-history.ts';
import { resolveForm } from './resolve-form.ts';

export type RecordShown = {
  readonly explanation: Explanation;
  /** The record's history; null if the ledger (Lockstep's database) does not have the record yet. */
  readonly history: RecordHistory | null;
  readonly runs: readonly Run[];
  readonly nameOf: NameOf;
  readonly withValues: boolean;
  /** How many lines of the history are shown at most. */
  readonly lines: number;
};

/** The page of one deal: both sides, its state and why, its history, and its runs in Temporal. */
export function recordPage(shown: RecordShown, session: Session): Page {
  const { explanation, history, nameOf } = shown;
  const { tenant, crmId, vendorId, key, gates } = explanation;
  const id = crmId ?? vendorId ?? key;
  const title = (crmId === null ? null : nameOf(crmId)) ?? id;
  const { grants } = session.identity;
  const mayAct = allows(grants, { role: 'operator', tenant });
  const back = recordPath(tenant, id);
  const body = html`<p class="lead">${stateBadge(explanation.state)} ${explanation.sentence}</p>
${valuesLine(shown, back, allows(grants, { role: 'viewer', tenant, values: true }))}
${section('Both sides', sides(explanation))}
${gates.length === 0 ? '' : section('Why it waits', html`<ul>${gates.map((gate) => gateLine(gate, { tenant, id }))}</ul>`)}
${mayAct ? actions(explanation, session, { id, back }) : ''}
${section('Fields', fieldsTable(explanation.fields, nameOf, shown.withValues))}
${section('History', historyList(history, `${back}?${shown.withValues ? 'values=true&' : ''}lines=${5 * shown.lines}`))}
${section('Runs in Temporal', runsTable(shown.runs))}`;
  // The page does not follow changes: each load would read both remote systems, and could be recorded as a display of values.
  return { title, session, tenant, body };
}

function valuesLine({ withValues }: RecordShown, back: string, maySee: boolean): Piece {
  if (withValues) return html`<p>Your look at the values is noted. <a href="${back}">Hide the values</a></p>`;
  if (!maySee) return html`<p class="small">You have no right to see values of fields.</p>`;
  return html`<p><a href="${back}?values=true">Show the values</a> <span class="small">Each look is noted.</span></p>`;
}

function sides(explanation: Explanation): Html {
  const { crmId, vendorId, formerLeads, linkedBy, linked, links, observedAt, notObserved } = explanation;
  const linkTo = (text: string | null, url: string | null): Piece =>
    text === null ? 'none' : url === null ? text : html`<a href="${url}" rel="noreferrer">${text}</a>`;
  return facts([
    ['Salesforce', linkTo(crmId, links.crm)],
    ['Vendor', linkTo(vendorId, links.vendor)],
    ...(formerLeads.length === 0 ? [] : [['Was the lead', formerLeads.join(', ')] as const]),
    ['Linked', linked === null ? linkedBy : html`${linked.words}, ${time(linked.at)}`],
    ['Read for this page', observedAt === null ? `not readable: ${notObserved ?? 'no answer'}` : time(observedAt)],
  ]);
}

function gateLine(
  { field, code, what, opens, needsSomebody, said }: Explanation['gates'][number],
  where: { readonly tenant: string; readonly id: string },
): Html {
  return html`<li>${badge(code, needsSomebody ? 'bad' : 'quiet')} ${field === null ? '' : html`<strong>${fieldTitle(field)}</strong>: `}${forPeople(what.replace(/\.$/, ''), where)}.
<div class="small">Opens: ${forPeople(opens, where)}</div>${said === undefined ? '' : html`<pre>${said}</pre>`}</li>`;
}

function actions(
  explanation: Explanation,
  session: Session,
  { id, back }: { readonly id: string; readonly back: string },
): Html {
  const { tenant, gates } = explanation;
  const conflicts = gates.filter(({ code, field }) => field !== null && code === 'conflict');
  return section(
    'Act',
    actionForm({ session, tenant, back, verb: 'sync', button: 'Sync now', hidden: { ids: id }, id: 'sync' }),
    html`<div id="decide">${conflicts.map(({ field }) => resolveForm({ session, tenant, id, field: field ?? '', back }))}</div>`,
    linkForms(explanation, { session, id, back }),
  );
}
