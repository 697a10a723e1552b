import { html } from 'hono/html';
import type { FieldName } from '../../domain/record/canonical.ts';
import { fieldWords } from '../../domain/record/field-labels.ts';
import type { ExplainedField, SideChange } from '../../operator/explain/explanation.ts';
import type { NameOf } from '../live/names.ts';
import { type Html, type Piece, table, time } from './parts.ts';
import { valueText } from './values.ts';

/** The name of a field in words, such as `Next milestone`. */
export function fieldTitle(field: string): string {
  const words = fieldWords(field as FieldName);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The table of a deal's fields. Each row says who changed the field, what Lockstep decided, and how its last write was answered. With
 * `withValues`, it also has both sides' values and the value on which both sides agreed before.
 */
export function fieldsTable(fields: readonly ExplainedField[], nameOf: NameOf, withValues: boolean): Html {
  const heads = ['Field', ...(withValues ? ['Salesforce', 'Vendor', 'Agreed before'] : []), 'Changed', 'Decision'];
  return table(
    { caption: 'Fields', none: 'Neither side could be read.', isStacked: true },
    heads,
    fields.map((one): readonly Piece[] => [
      html`${fieldTitle(one.field)}<span class="ids">${one.crmField}</span>`,
      ...(withValues
        ? [one.values?.crm, one.values?.vendor, one.values?.base.crm].map(
            (value) => html`<pre>${valueText(value)}</pre>`,
          )
        : []),
      changed(one, nameOf),
      decided(one),
    ]),
  );
}

function changed({ crm, vendor }: ExplainedField, nameOf: NameOf): Piece {
  const sides = [side('in Salesforce', crm, nameOf), side('at the vendor', vendor, nameOf)].filter(
    (one) => one !== null,
  );
  return sides.length === 0 ? 'no' : html`${sides.map((one) => html`<div>${one}</div>`)}`;
}

/** A sentence part that says where, by whom and when one side changed a field; null if that side did not change it. */
function side(where: string, { changed: hasChanged, by, until }: SideChange, nameOf: NameOf): Piece {
  if (hasChanged !== true) return null;
  const who = by === null ? '' : by === 'lockstep' ? ' by Lockstep' : ` by ${nameOf(by) ?? by}`;
  return html`${where}${who}${until === null ? '' : html`, <span class="small">${time(until)}</span>`}`;
}

function decided({ verdict, decidedBy, lastWrite }: ExplainedField): Piece {
  const by = decidedBy === null ? '' : html`<span class="ids">${decidedBy}</span>`;
  const wrote =
    lastWrite === null ? '' : html`<div class="small">last write ${time(lastWrite.at)}: ${lastWrite.answer}</div>`;
  return html`${verdict ?? '–'}${by}${wrote}`;
}
