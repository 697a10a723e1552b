/** Fails a whole bulk job. The message becomes the job's `errorMessage`, in the form `Code : text`. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}
