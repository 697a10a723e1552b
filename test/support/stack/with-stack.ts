import { type CrmUser, crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { afterAll, afterEach } from 'vitest';
import { type Child, type Stack, type StackOptions, startStack } from './stack.ts';

/** A record of the vendor simulator, as its own staff sees it. */
export type VendorRecord = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

/** The running stack with users on both sides. */
export type RunningStack = {
  readonly stack: Stack;
  /** A sales person in Salesforce. */
  readonly user: CrmUser;
  /** The admin APIs of the two remote systems: their records, their request logs, and their faults. */
  readonly vendor: ReturnType<typeof simulatorAdmin>;
  readonly salesforce: ReturnType<typeof simulatorAdmin>;
  readonly worker: Child;
  /** The vendor's records with an opportunity's id as their reference; one, if all is well. */
  atVendor(crmId: string): Promise<readonly VendorRecord[]>;
};

/**
 * A separate stack for one test file, with worker and receiver running; stopped after the file's last test. Faults last for one test. Call
 * it once, at the top of the file.
 */
export async function withStack(options: StackOptions = {}): Promise<RunningStack> {
  const stack = await startStack(options);
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  const salesforce = simulatorAdmin(stack.salesforce.adminUrl);
  const [worker] = await Promise.all([stack.startWorker(), stack.startReceiver()]).catch(async (error) => {
    await stack.stop();
    throw error;
  });
  afterEach(async () => {
    await Promise.all([vendor.clearFaults(), salesforce.clearFaults()]);
  });
  afterAll(() => stack.stop());
  return {
    stack,
    user: crmUser(stack.salesforce.url, stack.salesforce.user.accessToken),
    vendor,
    salesforce,
    worker,
    atVendor: async (crmId) =>
      (await vendor.records<VendorRecord>('leadOpportunity')).filter(
        ({ fields }) => fields['partnerLeadOpportunityId'] === crmId,
      ),
  };
}
