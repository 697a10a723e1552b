import { streamWorkflow } from './stream.ts';

/** Finds what people edited of rows that are mirrored, and has them put back. */
export const checkMirror = streamWorkflow('checkMirror');
