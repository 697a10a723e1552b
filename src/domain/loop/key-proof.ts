/** Whether the vendor takes a key in one of its domains; `unknown` where that cannot be told now. */
export type KeyProof = 'taken' | 'refused' | 'unknown';
