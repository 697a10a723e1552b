import { html } from 'hono/html';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { durationWords } from '../../domain/values/duration.ts';
import type { PlannedUndo, UndoPlan } from '../../operator/runs/plan-undo.ts';
import type { UndoAnswer } from '../../operator/runs/undo.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  facts,
  type Html,
  many,
  number,
  type Piece,
  recordLink,
  section,
  table,
  tenantPath,
} from './parts.ts';

/** The values in the undo page's form; an empty text for a field that the person left empty. */
export type UndoAsked = {
  readonly id: string;
  readonly since: string;
  readonly backfill: string;
  readonly field: string;
};

type Shown = {
  readonly tenant: string;
  readonly asked: UndoAsked;
  /** What an undo would do; null until the person has chosen which writes to undo. */
  readonly plan: UndoPlan | null;
  /** The last undo; null if there was none, or Temporal does not answer. */
  readonly status: UndoAnswer | null;
  readonly nameOf: NameOf;
};

/**
 * The page of an undo, which restores the values that past writes replaced: its plan, the form that starts it, and the progress of the last
 * undo.
 */
export function undoPage({ tenant, asked, plan, status, nameOf }: Shown, session: Session): Page {
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const body = html`<p class="lead">Gives back the values that past writes replaced, where both sides still show what was written. A plan comes first.</p>
${form(tenant, asked)}
${plan === null ? '' : planSections(plan, nameOf)}
${plan !== null && plan.values.back > 0 && mayAct ? startForm(session, tenant, asked, plan) : ''}
<div id="progress">${status === null ? '' : statusSection(status, mayAct ? session : null)}</div>`;
  return { title: `Undo, at ${tenant}`, session, tenant, at: 'undo', run: 'undo', body };
}

function form(tenant: string, { id, since, backfill, field }: UndoAsked): Html {
  return html`<form method="get" action="${tenantPath(tenant)}/undo" class="action">
<label for="id">Record</label><input id="id" name="id" value="${id}" autocomplete="off" placeholder="all">
<label for="since">since</label><input id="since" name="since" type="date" value="${since.slice(0, 10)}">
<label for="backfill">or backfill</label><input id="backfill" name="backfill" type="number" min="1" value="${backfill}">
<label for="field">field</label><select id="field" name="field"><option value="">all</option>${FIELD_NAMES.map(
    (one) => html`<option value="${one}"${one === field ? html` selected` : ''}>${one}</option>`,
  )}</select>
<button>Show the plan</button></form>
<p class="small">A record alone means its last change.</p>`;
}

function planSections(
  { tenant, records, values, differing, created, left, cost, listed, isCut }: UndoPlan,
  nameOf: NameOf,
) {
  const stay = created.crm + created.vendor;
  return html`${section(
    'The plan',
    facts([
      ['Go back', html`<strong>${many(values.back, 'value')}</strong> of ${many(records, 'record')}`],
      ['Then differ, as before', differing === 0 ? null : number(differing)],
      ['Stay', number(values.left)],
      ['Wait for a person', number(values.waits)],
      ['Created records stay', stay === 0 ? null : number(stay)],
      [
        'Costs about',
        `${many(cost.vendorCalls, 'vendor call')}, ${many(cost.crmCalls, 'Salesforce call')}, ${durationWords(cost.seconds)}`,
      ],
    ]),
    left.length === 0
      ? ''
      : html`<ul>${left.map(({ why, meaning, values: n }) => html`<li>${badge(why, 'quiet')} ${number(n)}: ${meaning}.</li>`)}</ul>`,
    html`<p class="small">Both sides are read before a value goes back. A value that somebody changes meanwhile stays.</p>`,
  )}
${section(
  'Records',
  table(
    { caption: 'Records', none: 'Lockstep wrote nothing in this scope.' },
    ['Record', 'Goes back', 'Stays'],
    listed.map((one): readonly Piece[] => [recordLink(tenant, one, nameOf), backPiece(one), stayPiece(one)]),
  ),
  isCut ? html`<p class="small">More: lockstep undo plan --limit 1000</p>` : '',
)}`;
}

const sideName = (side: 'crm' | 'vendor'): string => (side === 'crm' ? 'Salesforce' : 'vendor');

function backPiece({ fields }: PlannedUndo): Piece {
  if (fields.length === 0) return '–';
  return html`${fields.map(
    ({ field, sides, differs }) =>
      html`<div>${field} <span class="small">${sides.map(sideName).join(' and ')}${differs ? ', then differs' : ''}</span></div>`,
  )}`;
}

function stayPiece({ left, created }: PlannedUndo): Piece {
  if (left.length + created.length === 0) return '–';
  return html`${left.map(({ field, why }) => html`<div>${field} <span class="small">${why}</span></div>`)}${
    created.length === 0 ? '' : html`<div>the record <span class="small">created</span></div>`
  }`;
}

function startForm(session: Session, tenant: string, asked: UndoAsked, { values }: UndoPlan): Html {
  const hidden = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  return section(
    'Take it back',
    actionForm({
      ...{ verb: 'undo', session, tenant, hidden, back: `${tenantPath(tenant)}/undo` },
      button: `Give ${many(values.back, 'value')} back`,
      asks: `Give ${many(values.back, 'value')} back?`,
    }),
  );
}

function statusSection(status: UndoAnswer, session: Session | null): Html {
  const { tenant, state, found, done, values, outcomes, isRunning } = status;
  return section(
    'The last undo',
    facts([
      ['State', badge(state, state === 'done' ? 'good' : 'warn')],
      ['Records', `${number(done)} of ${number(found)} done`],
      ['Values', `${number(values.back)} back, ${number(values.left)} stay, ${number(values.waits)} wait`],
      [
        'Ended as',
        Object.entries(outcomes)
          .map(([name, n]) => `${number(n)} ${name}`)
          .join(', ') || null,
      ],
    ]),
    session !== null && isRunning
      ? actionForm({
          ...{ verb: 'undo cancel', session, tenant, back: `${tenantPath(tenant)}/undo` },
          ...{ button: 'End the undo', asks: 'End the undo?' },
        })
      : '',
  );
}
