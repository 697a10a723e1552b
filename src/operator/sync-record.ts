import type { Intake } from '../intake/intake.ts';

export type RecordSynced = {
  readonly tenant: string;
  readonly crmId: string;
  /** The workflow that looks at the record; its id is what the Temporal UI knows it by. */
  readonly workflowId: string;
};

/**
 * Has one opportunity looked at again, now. Resolves when the work is on its way; it goes on in Temporal. `crmId` is in its
 * 18-character form, `at` an ISO instant.
 */
export async function syncRecord(
  intake: Pick<Intake, 'lookAgain'>,
  { tenant, crmId, at }: { readonly tenant: string; readonly crmId: string; readonly at: string },
): Promise<RecordSynced> {
  const { workflowId } = await intake.lookAgain(tenant, { crmId }, at);
  return { tenant, crmId, workflowId };
}
