import { streamWorkflow } from './stream.ts';

/** Mirrors the offers of the vendor's portfolio into the CRM when a refresh is due. */
export const refreshPortfolio = streamWorkflow('refreshPortfolio');
