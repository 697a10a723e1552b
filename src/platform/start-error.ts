/** Something cannot be started on this machine; the message is one sentence with what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
