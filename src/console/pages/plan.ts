import { html } from 'hono/html';
import { durationWords } from '../../domain/values/duration.ts';
import type { PlannedChange, PlanSummary } from '../../operator/plan/make-plan.ts';
import { MOST_LISTED, type PlanRun } from '../../operator/plan/plan-runs.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  counts,
  dateField,
  facts,
  type Html,
  many,
  number,
  type Piece,
  recordLink,
  section,
  table,
  tenantPath,
  time,
  wordsField,
} from './parts.ts';
import { fieldTitle } from './record-fields.ts';

/** The page of a tenant's last plan (dry run), with the forms that start and cancel one. */
export function planPage(run: PlanRun, nameOf: NameOf, session: Session): Page {
  const { tenant, state, order, startedAt, totals, waitsUntil, failure, summary } = run;
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const isRunning = state === 'running';
  const progress =
    state === 'none'
      ? html`<p class="none">This console has made no plan since it started.</p>`
      : html`<p class="lead">${badge(state, TONES[state])} ${number(totals.records)} records changed since ${time(order?.since ?? null)}${
          order?.fields === undefined ? '' : html`; only ${order.fields.map(fieldTitle).join(', ')}`
        }. <span class="small">Begun ${time(startedAt)}.</span></p>
${isRunning ? html`<progress aria-label="The plan is being made"></progress>` : ''}
${waitsUntil === null ? '' : html`<p>It waits for the vendor’s quota until ${time(waitsUntil)}.</p>`}
${failure === null ? '' : html`<p>It could not be finished (${failure}).</p>`}
${facts([
  ['Would be done', counts(totals.actions)],
  ['Fields', counts(totals.fields)],
  ['Linked by', counts(totals.linkBy)],
  ['Reasons to wait', counts(totals.issues)],
])}${summary === null ? '' : costOf(summary)}`;
  const own = { session, tenant, back: `${tenantPath(tenant)}/plan` };
  const form = isRunning
    ? actionForm({ ...own, verb: 'plan cancel', button: 'Cancel the plan', hasReason: false, isPlain: true })
    : startForm(own);
  const body = html`<p>A plan says what would be done for each record, and what it costs. It writes nothing.</p>
<div id="progress">${section('Plan', progress)}</div>
${mayAct ? section(isRunning ? 'Cancel' : 'Make a plan', form) : ''}
${run.records.length === 0 ? '' : section('Records', recordsTable(run, nameOf))}
${summary !== null && mayAct ? html`<p><a href="${tenantPath(tenant)}/backfill?since=${summary.since.slice(0, 10)}">Go on to the backfill</a></p>` : ''}`;
  return { title: `Plan of ${tenant}`, session, tenant, at: 'plan', run: 'plan', body };
}

const TONES = { none: 'quiet', running: 'warn', done: 'good', cancelled: 'quiet', failed: 'bad' } as const;

function startForm(own: { readonly session: Session; readonly tenant: string; readonly back: string }): Html {
  const fields = html`${dateField('since', 'Changed since', '')}${wordsField('fields', 'Only this field', 'all fields')}`;
  return actionForm({ ...own, verb: 'plan start', button: 'Make the plan', hasReason: false, fields });
}

function costOf({ cost, asked, eventsLeft, renewals }: PlanSummary): Html {
  return facts([
    ['Costs about', `${many(cost.vendorCalls, 'vendor call')}, ${many(cost.crmCalls, 'Salesforce call')}`],
    [
      'Takes about',
      `${durationWords(cost.seconds)} at the ${cost.boundBy === 'quota' ? 'vendor’s quota' : 'tenant’s rate'}`,
    ],
    [
      'Change events',
      eventsLeft === undefined ? null : `${number(cost.changeEvents)} of ${number(eventsLeft)} left today`,
    ],
    ['Renewal opportunities', renewals === undefined ? null : `${number(renewals.opportunities)} to be created`],
    [
      'The plan itself took',
      `${many(asked.vendorCalls, 'vendor call')}, ${many(asked.crmPages, 'query page')} of Salesforce`,
    ],
  ]);
}

function recordsTable({ tenant, records }: PlanRun, nameOf: NameOf): Html {
  const rows = records.map((record): readonly Piece[] => [
    recordLink(tenant, { ...record, key: record.crmId ?? record.vendorId ?? '' }, nameOf),
    record.action,
    html`${record.reason}${record.linkBy === null ? '' : html`<span class="ids">linked by ${record.linkBy}</span>`}`,
    fieldsOf(record),
  ]);
  const more =
    records.length === MOST_LISTED ? html`<p class="small">The first ${number(MOST_LISTED)} are shown.</p>` : '';
  return html`${table({ caption: 'Records of the plan', isStacked: true }, ['Record', 'Would be done', 'Why', 'Fields'], rows)}${more}`;
}

function fieldsOf({ fields, issues }: PlannedChange): Html {
  return html`${fields.map(({ field, way, verdict }) => html`<div>${fieldTitle(field)} <span class="small">${way}, ${verdict}</span></div>`)}${issues.map(
    ({ code }) => html`<div>${badge(code, 'bad')}</div>`,
  )}`;
}
