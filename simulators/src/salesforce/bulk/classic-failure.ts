/** A call of the classic Bulk API that is refused; all are answered with 400. */
export class ClassicFailure extends Error {
  override readonly name = 'ClassicFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
