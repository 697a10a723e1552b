/** A code of an open set. The editor suggests the documented codes. Any other string is accepted and kept. */
export type OpenCode<Known extends string> = Known | (string & {});
