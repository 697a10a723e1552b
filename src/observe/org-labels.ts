import type { ObjectLimits } from '../domain/record/crm-limits.ts';
import { CrmError } from '../salesforce/errors.ts';
import type { CrmReads } from './remotes.ts';

/**
 * The org's descriptions of an object's fields, for their labels. Empty if the org does not answer, because no work should wait for labels.
 */
export async function orgLabels(
  crm: Pick<CrmReads, 'limits'>,
  object = 'Opportunity',
  call: { readonly signal?: AbortSignal } = {},
): Promise<ObjectLimits> {
  try {
    return (await crm.limits([object], call))[object] ?? {};
  } catch (error) {
    if (error instanceof CrmError) return {};
    throw error;
  }
}
