/**
 * Thrown if a remote refuses one request as it would refuse a wrong key, but answers the probes (cheap test requests) of the request's
 * operation group. `why`: the remote's answer, in codes.
 */
export class RefusedAlone extends Error {
  override readonly name = 'RefusedAlone';

  constructor(why: string) {
    super(`refused alone, while its group answers: ${why}`);
  }
}
