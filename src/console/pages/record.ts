import { html } from 'hono/html';
import type { ExplainedField, Explanation, SideChange } from '../../operator/explain/explanation.ts';
import type { HistoryLine, RecordHistory } from '../../operator/records/read-history.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Run } from '../ports.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  facts,
  type Html,
  type Piece,
  recordPath,
  section,
  stateBadge,
  table,
  time,
} from './parts.ts';
import { resolveForm } from './resolve-form.ts';
import { bothSides, valueText } from './values.ts';

export type RecordShown = {
  readonly explanation: Explanation;
  /** Null for a record that the ledger does not have yet. */
  readonly history: RecordHistory | null;
  readonly runs: readonly Run[];
  readonly nameOf: NameOf;
  readonly withValues: boolean;
};

/** One deal: both sides, its state and why, its history, and its runs in Temporal. */
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
${gates.length === 0 ? '' : section('Why it waits', html`<ul>${gates.map(gateLine)}</ul>`)}
${mayAct ? actions(explanation, session, { id, back }) : ''}
${section('Fields', fieldsTable(explanation.fields, shown.withValues))}
${section('History', historyList(history))}
${section('Runs in Temporal', runsTable(shown.runs))}`;
  // Not loaded again at changes, because each load reads both sides, and may be a look at values.
  return { title, session, tenant, body };
}

function valuesLine({ withValues }: RecordShown, back: string, maySee: boolean): Piece {
  if (withValues) return html`<p>Your look at the values is noted. <a href="${back}">Hide the values</a></p>`;
  if (!maySee) return html`<p class="small">You have no right to see values of fields.</p>`;
  return html`<p><a href="${back}?values=true">Show the values</a> <span class="small">Each look is noted.</span></p>`;
}

function sides({ crmId, vendorId, linkedBy, links, observedAt, notObserved }: Explanation): Html {
  const linked = (text: string | null, url: string | null): Piece =>
    text === null ? 'none' : url === null ? text : html`<a href="${url}" rel="noreferrer">${text}</a>`;
  return facts([
    ['Salesforce', linked(crmId, links.crm)],
    ['Vendor', linked(vendorId, links.vendor)],
    ['Linked by', linkedBy],
    ['Read for this page', observedAt === null ? `not readable: ${notObserved ?? 'no answer'}` : time(observedAt)],
  ]);
}

function gateLine({ field, code, what, opens, needsSomebody, said }: Explanation['gates'][number]): Html {
  return html`<li>${badge(code, needsSomebody ? 'bad' : 'quiet')} ${field === null ? '' : html`<strong>${field}</strong>: `}${what}. <span class="small">Opens: ${opens}</span>${
    said === undefined ? '' : html`<pre>${said}</pre>`
  }</li>`;
}

function actions(
  { tenant, gates }: Explanation,
  session: Session,
  { id, back }: { readonly id: string; readonly back: string },
): Html {
  const conflicts = gates.filter(({ code, field }) => field !== null && code === 'conflict');
  return section(
    'Act',
    actionForm({ session, tenant, back, verb: 'sync', button: 'Sync now', hidden: { ids: id }, id: 'sync-record' }),
    html`${conflicts.map(({ field }) => resolveForm({ session, tenant, id, field: field ?? '', back }))}`,
  );
}

function fieldsTable(fields: readonly ExplainedField[], withValues: boolean): Html {
  const heads = [
    'Field',
    'In Salesforce',
    ...(withValues ? ['Salesforce', 'Vendor', 'Agreed before'] : []),
    'Changed',
    'Decision',
    'Last write',
  ];
  return table(
    { caption: 'Fields', none: 'Neither side could be read.' },
    heads,
    fields.map((one): readonly Piece[] => [
      one.field,
      one.crmField,
      ...(withValues
        ? [one.values?.crm, one.values?.vendor, one.values?.base.crm].map(
            (value) => html`<pre>${valueText(value)}</pre>`,
          )
        : []),
      changed(one),
      one.verdict === null ? '–' : html`${one.verdict} <span class="small">${one.decidedBy ?? ''}</span>`,
      one.lastWrite === null ? '–' : html`${one.lastWrite.answer} ${time(one.lastWrite.at)}`,
    ]),
  );
}

function changed({ crm, vendor }: ExplainedField): Piece {
  const side = (name: string, { changed: hasChanged, by }: SideChange): string | null =>
    hasChanged === true ? `${name}${by === null ? '' : ` by ${by}`}` : null;
  const sidesChanged = [side('Salesforce', crm), side('vendor', vendor)].filter((one) => one !== null);
  return sidesChanged.length === 0 ? 'no' : sidesChanged.join(', ');
}

const KINDS: Readonly<Record<HistoryLine['kind'], string>> = {
  decision: 'Decided',
  'remote-write': 'Wrote',
  adoption: 'Linked',
  link: 'Link',
  state: 'State',
  view: 'Looked at values',
};

function historyList(history: RecordHistory | null): Html {
  if (history === null || history.lines.length === 0)
    return html`<p class="none">The journal has nothing about it yet.</p>`;
  return html`<ol class="history">${history.lines.map(historyLine)}</ol>${
    history.isCut ? html`<p class="small">Older lines: lockstep history ${history.key}</p>` : ''
  }`;
}

function historyLine({ at, kind, summary, decisions }: HistoryLine): Html {
  const said = Object.entries(summary).filter(([, value]) => value !== null && value !== '');
  const text = said.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  const values = decisions.filter((one) => one.values !== undefined);
  return html`<li><span class="small">${time(at)}</span><div><strong>${KINDS[kind]}</strong> ${text}${
    decisions.length === 0
      ? ''
      : html`<ul>${decisions.map(({ field, verdict, rule }) => html`<li>${field}: ${verdict} <span class="small">${rule}</span></li>`)}</ul>`
  }${values.map((one) => (one.values === undefined ? '' : html`<h3>${one.field}</h3>${bothSides(one.values)}`))}</div></li>`;
}

function runsTable(runs: readonly Run[]): Html {
  return table(
    {
      caption: 'Runs in Temporal',
      none: 'Temporal has no run of this record: its retention may be over, or a run of many records carried it.',
    },
    ['Workflow', 'State', 'Started'],
    runs.map(({ workflowId, status, startedAt, url }) => [
      url === null ? workflowId : html`<a href="${url}" rel="noreferrer">${workflowId}</a>`,
      badge(status, status === 'FAILED' ? 'bad' : 'quiet'),
      time(startedAt),
    ]),
  );
}
