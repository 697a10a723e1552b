/** A call that is refused as a whole (SOAP API Developer Guide, "API Faults"): code with its prefix, and message. */
export class SoapFault extends Error {
  override readonly name = 'SoapFault';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
