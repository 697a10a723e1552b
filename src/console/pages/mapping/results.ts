import { html } from 'hono/html';
import { counted } from '../../../domain/values/counted.ts';
import type { MappingCheck, MappingProblem } from '../../../operator/mapping/check-mapping.ts';
import type { MappingPlanned } from '../../../operator/mapping/plan-mapping.ts';
import type { MappingTried } from '../../../operator/mapping/try-mapping.ts';
import type { KeyDifference } from '../../../platform/differences.ts';
import { badge, facts, type Html, number, type Piece, recordLink, section, table, time } from '../parts.ts';
import { bothSides } from '../values.ts';

/** The mapped field, such as `closeDate`, that a problem of a mapping concerns; null if it concerns no single field. */
export function fieldOf({ at, what }: Pick<MappingProblem, 'at' | 'what'>): string | null {
  const [, field = null] = /^fields\.(\w+)/.exec(at === '' ? what : at) ?? [];
  return field;
}

/** A problem of a draft, with its repair. */
export function problemText({ at, verdict, what, repair }: MappingProblem): Html {
  const place = at === '' ? '' : html` <code>${at}</code>:`;
  return html`${badge(verdict, verdict === 'fails' ? 'bad' : 'warn')}${place} ${what}${repair === null ? '' : html`. <span class="small">Repair: ${repair}.</span>`}`;
}

/** The result of a draft's check: how many problems it has by severity, and the full text of problems that concern no single field. */
export function checkSummary(check: MappingCheck | null, differences: readonly KeyDifference[] | null): Html {
  if (check === null) return html`<p>${badge('not checked', 'warn')} The org cannot be read now.</p>`;
  const { problems } = check;
  const fails = problems.filter(({ verdict }) => verdict === 'fails').length;
  const others = problems.filter((one) => fieldOf(one) === null);
  const lead =
    problems.length === 0
      ? badge('fits the org', 'good')
      : html`${badge(`${number(fails)} fail`, fails > 0 ? 'bad' : 'quiet')} ${badge(`${number(problems.length - fails)} warn`, 'warn')}`;
  const changes =
    differences === null
      ? ''
      : differences.length === 0
        ? 'The draft changes nothing.'
        : `The draft changes ${counted(differences.length, 'setting')}.`;
  return html`<p>${lead} ${changes}</p>${others.length === 0 ? '' : html`<ul>${others.map((one) => html`<li>${problemText(one)}</li>`)}</ul>`}`;
}

export function differenceTable(differences: readonly KeyDifference[], caption: string): Html {
  return table(
    { caption, none: 'Nothing differs.' },
    ['Setting', 'Before', 'After'],
    differences.map(({ at, before, after }) => [html`<code>${at}</code>`, before ?? '–', after ?? '–']),
  );
}

/** Shows what a mapping draft would do with one deal, as a section of the page, with both sides' values if the person asked for them. */
export function triedSection(tried: MappingTried, nameOf: (crmId: string) => string | null): Html {
  const { tenant, before, after, gates, fields, notObserved } = tried;
  if (notObserved !== null)
    return section('Tried on a deal', html`<p>The deal cannot be read now (${notObserved}).</p>`);
  const shown = fields.filter(({ isChanged, before: was, after: is }) => isChanged || was !== is);
  const rest = fields.filter((one) => !shown.includes(one));
  return section(
    'Tried on a deal',
    html`<p class="lead">${recordLink(tenant, tried, nameOf)}</p>`,
    facts([
      ['Next step now', before?.step ?? 'unknown'],
      ['With the draft', after?.step ?? 'unknown'],
      ['Because', after?.reason ?? null],
    ]),
    ...gates.map(({ code, field, what }) => html`<p>${badge(code, 'warn')} ${field ?? ''} ${what}</p>`),
    shown.length === 0 ? html`<p>No field of this deal is treated otherwise.</p>` : html`${shown.map(triedField)}`,
    html`<details class="map-more"><summary>The other fields (${number(rest.length)})</summary>${rest.map(triedField)}</details>`,
  );
}

function triedField({ field, crmField, before, after, values }: MappingTried['fields'][number]): Piece {
  return html`<h3>${field} <span class="small">${crmField}</span></h3><p>${
    before === after
      ? `${after ?? 'no decision'}, as now`
      : html`now ${before ?? 'no decision'}, with the draft ${badge(after ?? 'no decision', 'warn')}`
  }</p>${values === undefined ? '' : bothSides(values)}`;
}

/** Of the deals that have changed since a given time, shows how many the draft of a mapping would treat differently, and how. */
export function plannedSection({ since, isComplete, totals }: MappingPlanned): Html {
  const counts = (all: Readonly<Partial<Record<string, number>>>): string | null => {
    const found = Object.entries(all).map(([name, count = 0]) => `${number(count)} ${name}`);
    return found.length === 0 ? null : found.join(', ');
  };
  return section(
    'Plan',
    html`<p class="lead">The draft treats ${counted(totals.records, 'deal')} changed since ${time(since)} otherwise. Nothing was written.</p>`,
    facts([
      ['Would be done', counts(totals.actions)],
      ['Fields', counts(totals.fields)],
      ['Reasons to wait', counts(totals.issues)],
    ]),
    isComplete
      ? ''
      : html`<p>${badge('not all', 'warn')} The time was over before all deals were planned. On the command line: <code>lockstep plan --mapping FILE</code>.</p>`,
  );
}
