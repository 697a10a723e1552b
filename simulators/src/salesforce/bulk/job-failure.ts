/** Fails a whole bulk job; the message is what its `errorMessage` says, `Code : text`. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}
