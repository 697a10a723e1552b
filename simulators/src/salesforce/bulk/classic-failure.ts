/** A refused call of the classic Bulk API. All refusals are answered with 400. */
export class ClassicFailure extends Error {
  override readonly name = 'ClassicFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
