/** A code from a set of which the documents show only some members. The editor suggests these; any other string is accepted too. */
export type OpenCode<Known extends string> = Known | (string & {});
