import type { ObjectLimits } from '../domain/record/crm-limits.ts';
import { CrmError } from '../salesforce/errors.ts';
import type { CrmReads } from './remotes.ts';

/** The fields of an object of the org, for their labels; empty if the org does not answer, because no work waits for a label. */
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
