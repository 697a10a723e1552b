import { streamWorkflow } from './stream.ts';

/** Mirrors the catalog of products and prices into the CRM when a refresh is due. */
export const refreshCatalog = streamWorkflow('refreshCatalog');
