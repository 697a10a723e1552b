/** Why the last read of a stream failed. Contains only names and codes. */
export type StreamFailure = {
  readonly remote: 'vendor' | 'salesforce';
  readonly code: string;
  /** When the read failed, ISO. */
  readonly at: string;
};

/** The ledger's cursor name for a stream's last failure. */
export function failureOf(stream: string): string {
  return `failed ${stream}`;
}
