import { streamWorkflow } from './stream.ts';

/** Reads the offers of the vendor's portfolio, where a refresh is due, and mirrors them in the CRM. */
export const refreshPortfolio = streamWorkflow('refreshPortfolio');
