/**
 * Whether the vendor accepted the API key of one of its APIs (sales or order) in a test request: `taken` (accepted), `refused`, or
 * `unknown` if the request had no clear answer.
 */
export type KeyProof = 'taken' | 'refused' | 'unknown';
