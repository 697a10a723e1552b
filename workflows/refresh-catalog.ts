import { streamWorkflow } from './stream.ts';

/** Reads what may be sold and at which price, where a refresh is due, and mirrors it in the CRM. */
export const refreshCatalog = streamWorkflow('refreshCatalog');
