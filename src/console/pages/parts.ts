import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Session } from '../access/sessions.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
/** The content of a table cell or a sentence; null shows nothing. */
export type Piece = Html | string | number | null;

/** Shows an instant (ISO) in UTC, to the minute; the page's script then changes it to the person's own time zone. Shows a dash for null. */
export function time(iso: string | null): Piece {
  if (iso === null) return '–';
  const shown = iso.slice(0, 16).replace('T', ' ');
  return html`<time datetime="${iso}" title="${iso}">${shown} UTC</time>`;
}

/** How long ago an instant was, such as `4 min`. */
export function age(iso: string, now: string): string {
  return duration(Math.max(0, Math.round((Date.parse(now) - Date.parse(iso)) / 1000)));
}

const STEPS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** A duration in one unit, such as `3 h`. The unit is the largest one that the duration contains twice, so 90 minutes are `90 min`. */
export function duration(seconds: number): string {
  const [size, unit] = STEPS.find(([least]) => seconds >= 2 * least) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit}`;
}

const NUMBERS = new Intl.NumberFormat('en-US');

export function number(n: number): string {
  return NUMBERS.format(n);
}

/** A number with its noun: `1 record`, `2,000 records`. */
export function many(n: number, one: string): string {
  return `${number(n)} ${n === 1 ? one : `${one}s`}`;
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A short coloured word. The word alone has the full meaning, without the colour. */
export function badge(text: string, tone: Tone): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

const TONES: Readonly<Record<string, Tone>> = {
  'in-sync': 'good',
  active: 'good',
  succeeded: 'good',
  pending: 'quiet',
  new: 'quiet',
  detached: 'quiet',
  superseded: 'quiet',
  removed: 'quiet',
  paused: 'warn',
};

/** The badge of the state of a record, a tenant or a command. A state that is not in `TONES` needs a person, and is red. */
export function stateBadge(state: string): Html {
  return badge(state, TONES[state] ?? 'bad');
}

type TableOptions = {
  readonly caption: string;
  readonly none?: string;
  /** Whether a narrow screen shows each row of the table as a list of its cells. */
  readonly isStacked?: boolean;
};

/** A table. On a narrow screen it scrolls sideways or, with `isStacked`, shows each row as a list of its cells. */
export function table(
  { caption, none = 'Nothing.', isStacked = false }: TableOptions,
  heads: readonly string[],
  rows: readonly (readonly Piece[])[],
): Html {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${isStacked ? html` class="stacked"` : ''}>
<caption class="for-readers">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, n) => html`<td${isStacked ? html` data-head="${heads[n] ?? ''}"` : ''}>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** Facts as a definition list (`<dl>`). Facts whose value is null are left out. */
export function facts(rows: readonly (readonly [string, Piece])[]): Html {
  const shown = rows.filter(([, value]) => value !== null);
  return html`<dl>${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function section(title: string, ...content: readonly Piece[]): Html {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

export const tenantPath = (tenant: string): string => `/tenants/${encodeURIComponent(tenant)}`;
export const recordPath = (tenant: string, id: string): string =>
  `${tenantPath(tenant)}/records/${encodeURIComponent(id)}`;

/**
 * The id of a record in the addresses of pages: the opportunity's id if there is one, else the vendor's, else the key of its link (the
 * database row for the deal).
 */
export function idOf({ key, crmId, vendorId }: Ids): string {
  return crmId ?? vendorId ?? key;
}

type Ids = { readonly key: string; readonly crmId: string | null; readonly vendorId: string | null };

/** A record's name, if known, and its ids, as a link to its page. */
export function recordLink(tenant: string, record: Ids, nameOf: (crmId: string) => string | null): Html {
  const { key, crmId, vendorId } = record;
  const id = idOf(record);
  const name = crmId === null ? null : nameOf(crmId);
  const others = [crmId, vendorId].filter((one) => one !== null);
  return html`<a href="${recordPath(tenant, id)}">${name ?? id}</a>${
    name !== null || others.length > 1 ? html`<span class="ids">${others.join(' · ') || key}</span>` : ''
  }`;
}

/** Writes counts as a text such as `3 create, 1 park`, the highest count first. Null if there are no counts. */
export function counts(all: Readonly<Partial<Record<string, number>>>): string | null {
  const found = Object.entries(all).toSorted(([, one = 0], [, other = 0]) => other - one);
  return found.length === 0 ? null : found.map(([name, n = 0]) => `${number(n)} ${name}`).join(', ');
}

/** A form field for a day. `value`: such as 2026-01-01, or empty. */
export function dateField(name: string, label: string, value: string): Html {
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" required value="${value}">`;
}

/** A form field for one line of text, which may stay empty. */
export function wordsField(name: string, label: string, placeholder = ''): Html {
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" autocomplete="off" placeholder="${placeholder}">`;
}

/** A form field to choose one of several values. The first value is selected when the page opens. */
export function choiceField(
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
): Html {
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${choices.map(
    ([value, text]) => html`<option value="${value}">${text}</option>`,
  )}</select>`;
}

/** A command's name, written so that it can be the last part of a path, such as `inbox-retry`. */
export function actionName(verb: string): string {
  return verb.replaceAll(/\W+/g, '-');
}

type ActionForm = {
  /** The command that the form runs, such as `inbox retry`. */
  readonly verb: string;
  readonly session: Session;
  readonly tenant: string;
  /** The path of the page to show after the command. */
  readonly back: string;
  readonly button: string;
  /** A question that the page's script asks the person before it sends the form. */
  readonly asks?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: Piece;
  readonly id?: string;
  /** False for a command that changes nothing, so that the form asks for no reason. */
  readonly hasReason?: boolean;
  /** Further fields and buttons, shown after the form's own button. */
  readonly also?: Piece;
  /** Whether the button has a plain style, because its command is the less usual choice. */
  readonly isPlain?: boolean;
};

/** A form that runs a command. If the command changes something, the form asks for a reason, which goes to the operators' audit log. */
export function actionForm({
  verb,
  session,
  tenant,
  back,
  button,
  asks,
  hidden = {},
  fields = null,
  id,
  hasReason = true,
  isPlain = false,
  also = null,
}: ActionForm): Html {
  const values = { csrf: session.csrf, tenant, back, ...hidden };
  const reason = `reason-${id ?? actionName(verb)}`;
  return html`<form method="post" action="/actions/${actionName(verb)}" class="action"${
    id === undefined ? '' : html` id="${id}"`
  }${asks === undefined ? '' : html` data-asks="${asks}"`}>
${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}${
  hasReason
    ? html`<label for="${reason}">Why</label>
<input id="${reason}" name="reason" required maxlength="500" autocomplete="off" placeholder="for the audit log">`
    : ''
}
<button${isPlain ? html` class="plain"` : ''}>${button}</button>${also}</form>`;
}
