import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import { crmFieldOf } from '../record/mapping-config.ts';

/** What the field of the child record holds. */
const MOST_CHARACTERS = 4_000;

/**
 * What the vendor has filled in by itself where the CRM has nothing: the CRM's field and the value, one line each. Told beside the
 * opportunity, so that it is never taken for what its users entered. Null where there is none, or nothing is agreed yet.
 */
export function filledWords(base: Base | null): string | null {
  const lines = (base?.defaulted ?? []).flatMap((field) => {
    const value = base?.vendor[field];
    return isSet(base?.crm[field]) || !isSet(value)
      ? []
      : [`${crmFieldOf(field, base ?? {})}: ${shown(value)}`];
  });
  return lines.join('\n').slice(0, MOST_CHARACTERS) || null;
}

type Value = Base['vendor'][FieldName];

function isSet(value: Value): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function shown(value: Value): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
