/** Thrown when a remote refuses one request although its operation group answers its probes. `why`: the remote's answer, in codes. */
export class RefusedAlone extends Error {
  override readonly name = 'RefusedAlone';

  constructor(why: string) {
    super(`refused alone, while its group answers: ${why}`);
  }
}
