/** Why the last read of a stream (regular read of changed rows) failed. Contains only names and codes, no values. */
export type StreamFailure = {
  readonly remote: 'vendor' | 'salesforce';
  readonly code: string;
  /** When the read failed, ISO. */
  readonly at: string;
};

/** The name of the ledger's cursor that stores a stream's last failure. */
export function failureOf(stream: string): string {
  return `failed ${stream}`;
}
