import { html } from 'hono/html';
import type { FieldValues } from '../../operator/explain/explanation.ts';
import type { Html, Piece } from './parts.ts';

/** A value of a field as a person reads it. Lists and objects are shown as YAML-like lines. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'not shown';
  if (value === null || value === '') return 'empty';
  if (typeof value === 'object') return linesOf(value).join('\n') || 'empty';
  return String(value);
}

function linesOf(value: object, indent = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    const label = Array.isArray(value) ? `${indent}${Number(name) + 1}.` : `${indent}${name}:`;
    if (typeof part === 'object' && part !== null) return [label, ...linesOf(part, `${indent}  `)];
    return [`${label} ${part === null || part === undefined ? 'empty' : String(part)}`];
  });
}

/** Both sides' values of a field beside each other, and the value on which both sides last agreed. */
export function bothSides({ crm, vendor, base }: FieldValues): Html {
  const side = (title: string, value: unknown): Piece => html`<div><p>${title}</p><pre>${valueText(value)}</pre></div>`;
  return html`<div class="sides">${side('Salesforce', crm)}${side('Vendor', vendor)}${side('Agreed before', base.crm ?? base.vendor)}</div>`;
}
