import { onlyLead, type StepContext, stepLimits } from './steps.ts';
import { waitFor } from './wait.ts';

/** The vendor approves the registration of a deal, and Salesforce shows it. */
export async function vendorApproves(context: StepContext, opportunity: string): Promise<void> {
  const lead = await onlyLead(context, opportunity);
  const [approvalStatus, dsComment] = ['APPROVED', 'Registered for your company.'];
  await context.vendor.admin.edit(lead.id, { approvalStatus, dsComment });
  context.print(`  vendor:     the channel manager approves the registration of ${lead.id}`);
  await waitFor(
    `the vendor's answer on ${opportunity} in Salesforce`,
    async () => {
      const rows = await context.crm.admin.records('Lockstep_Sync__c');
      const isShown = rows.some(
        ({ fields }) => fields['Opportunity__c'] === opportunity && fields['Approval_Status__c'] === approvalStatus,
      );
      return isShown || null;
    },
    stepLimits(context),
  );
  context.print(`  Salesforce: ${opportunity} shows ${approvalStatus}, and the comment "${dsComment}"`);
}
