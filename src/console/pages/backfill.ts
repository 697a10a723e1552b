import { html } from 'hono/html';
import { WAITING_STATES } from '../../domain/record/link-state.ts';
import { durationWords } from '../../domain/values/duration.ts';
import type { BackfillAnswer } from '../../operator/runs/backfill.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  badge,
  choiceField,
  counts,
  dateField,
  facts,
  type Html,
  number,
  section,
  tenantPath,
  time,
  wordsField,
} from './parts.ts';
import { forPeople } from './people.ts';
import { fieldTitle } from './record-fields.ts';

type Shown = {
  readonly tenant: string;
  /** The last backfill; null if there was none, or if no worker answers. */
  readonly backfill: BackfillAnswer | null;
  /** Why the state of the last backfill cannot be shown; null if it can, or if there was no backfill. */
  readonly refusal: string | null;
  /** The day (`YYYY-MM-DD`) that the form suggests as the beginning of the next backfill; empty for no suggestion. */
  readonly since: string;
};

/**
 * The page of a tenant's last backfill (sync of the records that changed since a day): its live progress, and the forms that start, pause
 * and end a backfill.
 */
export function backfillPage({ tenant, backfill, refusal, since }: Shown, session: Session): Page {
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const own = { session, tenant, back: `${tenantPath(tenant)}/backfill` };
  const body = html`<p>A backfill syncs the records that changed since a day, with the vendor’s spare quota. A <a href="${tenantPath(tenant)}/plan">plan</a> shows before what it would do.</p>
<div id="progress">${section('Backfill', backfill === null ? html`<p class="none">${forPeople(refusal ?? 'There was none yet.', { tenant })}</p>` : progressOf(backfill))}</div>
${mayAct ? forms(backfill, since, own) : ''}`;
  return { title: `Backfill of ${tenant}`, session, tenant, at: 'backfill', run: 'backfill', body };
}

const TONES = { running: 'warn', paused: 'warn', waiting: 'warn', done: 'good', cancelled: 'quiet' } as const;

function progressOf(status: BackfillAnswer): Html {
  const {
    tenant,
    state,
    phase,
    isRunning,
    order,
    found,
    done,
    inFlight,
    fraction,
    perSecond,
    remainingSeconds,
    outcomes,
  } = status;
  const percent = Math.floor(100 * fraction);
  const waits = WAITING_STATES.some((one) => (outcomes[one] ?? 0) > 0);
  return html`<p class="lead">${badge(state, TONES[state])} ${number(done)} of ${number(found)} records since ${time(order.since)}${
    order.fields === undefined ? '' : html`; only ${order.fields.map(fieldTitle).join(', ')}`
  }</p>
<p><progress max="100" value="${percent}" aria-label="Progress of the backfill"></progress> ${percent} %</p>
${facts([
  ['Step', isRunning ? phase : 'over'],
  ['Under way', number(inFlight)],
  ['Pace', perSecond === null ? null : `${perSecond.toFixed(1)} a second`],
  ['Left', isRunning && remainingSeconds !== null ? `about ${durationWords(remainingSeconds)}` : null],
  ['Came to', counts(outcomes)],
])}
${state === 'waiting' ? html`<p>It waits for a side that is paused: <a href="${tenantPath(tenant)}">the overview</a> says which, and why.</p>` : ''}
${waits ? html`<p><a href="${tenantPath(tenant)}/inbox">See what waits for a person</a></p>` : ''}`;
}

function forms(
  backfill: BackfillAnswer | null,
  since: string,
  own: { readonly session: Session; readonly tenant: string; readonly back: string },
): Html {
  if (backfill?.isRunning !== true) return section('Begin a backfill', startForm(since, own));
  const isPaused = backfill.state === 'paused';
  return section(
    'Act',
    actionForm({
      ...own,
      verb: isPaused ? 'backfill resume' : 'backfill pause',
      button: isPaused ? 'Let it go on' : 'Pause it',
    }),
    actionForm({ ...own, verb: 'backfill cancel', button: 'End it', asks: 'End the backfill?', isPlain: true }),
  );
}

function startForm(
  since: string,
  own: { readonly session: Session; readonly tenant: string; readonly back: string },
): Html {
  const fields = html`${dateField('since', 'Changed since', since)}${choiceField('from', 'Records of', [
    ['both', 'both sides'],
    ['crm', 'Salesforce'],
    ['vendor', 'the vendor'],
  ])}${choiceField('share', 'Quota at most', [
    ['0.5', 'a half'],
    ['0.2', 'a fifth'],
    ['1', 'all of it'],
  ])}${wordsField('fields', 'Only this field', 'all fields')}`;
  return actionForm({ ...own, verb: 'backfill', button: 'Begin', asks: `Begin a backfill of ${own.tenant}?`, fields });
}
