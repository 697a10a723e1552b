import { fieldsInCrm, misfits } from '../mapping/index.ts';
import type { FieldName } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import type { DecideInput } from './input.ts';

/**
 * The values of a write to the opportunity that its fields cannot hold, as the CRM has described them: each is held back by
 * itself before anything is sent. That is known anew each time: what was refused is sent again after a time, and what does not fit
 * only on a person's word.
 */
export function unfitValues(
  opportunity: CrmFields,
  write: 'create' | 'update',
  { config, crmLimits, isManual }: Pick<DecideInput, 'config' | 'crmLimits' | 'isManual'>,
): readonly Issue[] {
  if (isManual) return [];
  const found = misfits(opportunity, crmLimits['Opportunity'], write);
  return fieldsInCrm([...found.keys()], config)
    .filter((field) => write === 'update' || !isNeeded(field))
    .flatMap((field) => {
      const crm = crmFieldOf(field, config);
      const misfit = found.get(crm);
      return misfit === undefined ? [] : [ISSUES.doesNotFit(field, crm, misfit)];
    });
}

/** Whether no opportunity is made without this value: with another currency its amounts would be others. */
export function isNeeded(field: FieldName): boolean {
  return field === 'currency' || (FIELDS[field].crmRequired && field !== 'status');
}
