import { streamWorkflow } from './stream.ts';

/** Reads how the org describes the mapped fields, and keeps what differs from the mapping. */
export const watchOrg = streamWorkflow('watchOrg');
