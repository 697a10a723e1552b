import { streamWorkflow } from './stream.ts';

/** Stores how the org's description of mapped fields differs from the mapping. */
export const watchOrg = streamWorkflow('watchOrg');
