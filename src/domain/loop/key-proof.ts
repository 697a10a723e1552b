/** Whether the vendor accepts an API key in one of its domains; `unknown` if the request had no clear answer. */
export type KeyProof = 'taken' | 'refused' | 'unknown';
