import { streamWorkflow } from './stream.ts';

/** Checks, one search a run, whether the vendor still shows the linked records. */
export const checkVendorRecords = streamWorkflow('checkVendorRecords');
