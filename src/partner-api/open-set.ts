/** A code of an open set: the documented ones are suggested by the editor, any other string is accepted and kept. */
export type OpenCode<Known extends string> = Known | (string & {});
