import { html } from 'hono/html';
import type { HistoryLine, RecordHistory } from '../../operator/records/read-history.ts';
import type { Run } from '../ports.ts';
import { badge, type Html, type Piece, table, time } from './parts.ts';
import { forPeople } from './people.ts';
import { fieldTitle } from './record-fields.ts';
import { bothSides } from './values.ts';

const KINDS: Readonly<Record<HistoryLine['kind'], string>> = {
  decision: 'Decided',
  'remote-write': 'Wrote',
  adoption: 'Linked',
  link: 'Link',
  state: 'State',
  view: 'Looked at values',
  undo: 'Ordered an undo',
};

/** The history of a deal as a list, newest line first. */
export function historyList(history: RecordHistory | null, more: string): Html {
  if (history === null || history.lines.length === 0)
    return html`<p class="none">The journal has nothing about it yet.</p>`;
  const { tenant, lines, isCut } = history;
  return html`<ol class="history">${lines.map((line) => historyLine(line, tenant))}</ol>${
    isCut ? html`<p><a href="${more}">Show older lines</a></p>` : ''
  }`;
}

function historyLine({ at, kind, summary, decisions }: HistoryLine, tenant: string): Html {
  const values = decisions.filter((one) => one.values !== undefined);
  return html`<li><span class="small">${time(at)}</span><div><strong>${KINDS[kind]}</strong> ${said(summary, tenant)}${
    decisions.length === 0
      ? ''
      : html`<ul>${decisions.map(({ field, verdict, rule }) => html`<li>${fieldTitle(field)}: ${verdict} <span class="small">${rule}</span></li>`)}</ul>`
  }${values.map((one) => (one.values === undefined ? '' : html`<h3>${fieldTitle(one.field)}</h3>${bothSides(one.values)}`))}</div></li>`;
}

/** The facts in one line of a record's history, as `name value` pairs, with instants in the person's own time. */
function said(summary: HistoryLine['summary'], tenant: string): Piece {
  const facts = Object.entries(summary).filter(([, value]) => value !== null && value !== '');
  return forPeople(facts.map(([name, value]) => `${wordsOf(name)} ${String(value)}`).join(', '), { tenant });
}

/** Writes the name of a fact (a value in a line of a record's history) in words: `matchedOn` becomes `matched on`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function runsTable(runs: readonly Run[]): Html {
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
