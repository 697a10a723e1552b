import { streamWorkflow } from './stream.ts';

/** Looks whether the vendor still shows the records that are linked, a search at a time. */
export const checkVendorRecords = streamWorkflow('checkVendorRecords');
