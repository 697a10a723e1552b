import { streamWorkflow } from './stream.ts';

/** Reads what changed in the CRM since the cursor, and wakes those opportunities: the net under lost messages. */
export const sweepSalesforce = streamWorkflow('sweepSalesforce');
