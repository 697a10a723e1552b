/** Thrown if a program cannot start on this machine. The message is one sentence with the repair. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
