import { crmLabel } from '../record/field-labels.ts';
import type { Issue } from '../record/issue.ts';
import { oneLine } from '../record/shown-text.ts';
import type { CrmWriteOutcome } from './outcome.ts';

const SPEAKERS = { vendor: 'The vendor', crm: 'Salesforce' } as const;
const MOST_CHARACTERS = 1_000;

/**
 * The issue about a refusal (`found`), with the text in which the refusing side explained it. Unchanged if there is no text. `names`: the
 * labels of the refused fields.
 */
export function withSaid(
  found: Issue,
  side: 'vendor' | 'crm',
  text: string | null | undefined,
  names: readonly string[] = [],
): Issue {
  const said = oneLine(text ?? null, MOST_CHARACTERS);
  const about = names.length === 0 ? '' : ` about ${names.join(', ')}`;
  return said === null ? found : { ...found, said: `${SPEAKERS[side]} says${about}: ${said}` };
}

/** The labels of the CRM fields that a refusal names, in quotes. */
export function labelsOf({
  fields,
  labels,
}: Pick<Extract<CrmWriteOutcome, { type: 'crm-refused' }>, 'fields' | 'labels'>): readonly string[] {
  return fields.map((name) => `"${crmLabel(name, labels)}"`);
}
