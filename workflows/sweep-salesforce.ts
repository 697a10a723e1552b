import { streamWorkflow } from './stream.ts';

/** Wakes opportunities that changed in the CRM since the cursor. Catches changes whose messages were lost. */
export const sweepSalesforce = streamWorkflow('sweepSalesforce');
