import { streamWorkflow } from './stream.ts';

/** Finds users' edits of mirrored rows and has the rows restored. */
export const checkMirror = streamWorkflow('checkMirror');
