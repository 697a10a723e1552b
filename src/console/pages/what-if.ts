import { html } from 'hono/html';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { CONFLICT_RULES } from '../../operator/what-if/other-mapping.ts';
import type { ChangedDecision, WhatIf } from '../../operator/what-if/play-past.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import { badge, facts, type Html, number, type Piece, recordLink, section, table, tenantPath, time } from './parts.ts';
import { bothSides } from './values.ts';

/** The values in the form of the what-if page. `since`: a date, or empty for the last 90 days. */
export type WhatIfAsked = { readonly field: string; readonly rule: string; readonly since: string };

type Shown = {
  readonly tenant: string;
  readonly asked: WhatIfAsked;
  /** The result for the chosen field and rule; null before the person has chosen them. */
  readonly answer: WhatIf | null;
  readonly withValues: boolean;
  readonly nameOf: NameOf;
};

/** The page that applies another conflict rule to past decisions and shows what would have been different. Reads only the journal. */
export function whatIfPage({ tenant, asked, answer, withValues, nameOf }: Shown, session: Session): Page {
  const maySee = allows(session.identity.grants, { role: 'viewer', tenant, values: true });
  const body = html`<p class="lead">Plays past decisions through another conflict rule. Nothing is written, and neither side is read.</p>
${form(tenant, asked, maySee, withValues)}
${answer === null ? '' : result(tenant, answer, nameOf)}`;
  return { title: `What if, at ${tenant}`, session, tenant, at: 'what-if', body };
}

function form(tenant: string, { field, rule, since }: WhatIfAsked, maySee: boolean, withValues: boolean): Html {
  const options = (all: readonly string[], chosen: string): readonly Html[] =>
    all.map((one) => html`<option value="${one}"${one === chosen ? html` selected` : ''}>${one}</option>`);
  return html`<form method="get" action="${tenantPath(tenant)}/what-if" class="action">
<label for="field">If the field</label><select id="field" name="field">${options(FIELD_NAMES, field)}</select>
<label for="rule">had the rule</label><select id="rule" name="rule">${options(CONFLICT_RULES, rule)}</select>
<label for="since">since</label><input id="since" name="since" type="date" value="${since.slice(0, 10)}">
${maySee ? html`<label><input type="checkbox" name="values" value="true"${withValues ? html` checked` : ''}> with values; each look is noted</label>` : ''}
<button>Play it</button></form>`;
}

function result(tenant: string, answer: WhatIf, nameOf: NameOf): Html {
  const { since, lines, decisions, changedRecords, ways, unknown, records, isCut } = answer;
  return html`${section(
    'Would have ended',
    facts([
      ['Otherwise', html`<strong>${number(decisions.otherwise)}</strong> of ${number(changedRecords)} records`],
      ['The same', number(decisions.same)],
      ['Cannot be replayed', number(decisions.unknown)],
      ['Read', html`${number(lines)} lines of the journal since ${time(since)}`],
    ]),
    html`<ul>${ways.map(({ field, was, would, decisions: n }) => html`<li>${field}: ${number(n)} ${was} → ${would}</li>`)}
${unknown.map(({ meaning, decisions: n }) => html`<li>${badge('unknown', 'quiet')} ${number(n)}: ${meaning}.</li>`)}</ul>
<p class="small">Each decision was replayed alone, with the values that it had.</p>`,
  )}
${section(
  'Records',
  table(
    { caption: 'Records that would have ended otherwise', none: 'No decision would have ended otherwise.' },
    ['Record', 'Decision'],
    records.map((record): readonly Piece[] => [
      recordLink(tenant, record, nameOf),
      html`${record.decisions.map(decisionPiece)}`,
    ]),
  ),
  isCut ? html`<p class="small">More: lockstep what-if --limit 1000</p>` : '',
)}`;
}

function decisionPiece({ at, field, was, would, values }: ChangedDecision): Html {
  return html`<div>${time(at)} ${field}: ${was.verdict} <span class="small">${was.rule}</span> → ${would.verdict} <span class="small">${would.rule}</span>${
    values === undefined ? '' : bothSides(values)
  }</div>`;
}
