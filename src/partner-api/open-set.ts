/** A code from a set that the documents show only in part. The editor suggests the documented codes; any other string is accepted too. */
export type OpenCode<Known extends string> = Known | (string & {});
