/** A program cannot start on this machine; the message is one sentence with the repair. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
