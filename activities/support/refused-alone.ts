/** A side refuses this request alone: its group of operations answers its probes. `why`: what was answered, in codes. */
export class RefusedAlone extends Error {
  override readonly name = 'RefusedAlone';

  constructor(why: string) {
    super(`refused alone, while its group answers: ${why}`);
  }
}
