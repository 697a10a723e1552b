/** Why a stream could not be read the last time that it was tried: names and codes alone. */
export type StreamFailure = {
  /** Which of the two did not answer as it should. */
  readonly remote: 'vendor' | 'salesforce';
  readonly code: string;
  /** When it was tried last, ISO. */
  readonly at: string;
};

/** Where the ledger keeps it, beside the stream's cursor. */
export function failureOf(stream: string): string {
  return `failed ${stream}`;
}
