/** Why the last read of a stream (regular read of changed rows) failed. Contains only names and codes, no values. */
export type StreamFailure = {
  readonly remote: 'vendor' | 'salesforce';
  readonly code: string;
  /** When the read failed, ISO. */
  readonly at: string;
};

/** The name under which the ledger (Lockstep's database) stores a stream's last failure, in its table `cursors`. */
export function failureOf(stream: string): string {
  return `failed ${stream}`;
}
