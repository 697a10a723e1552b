/**
 * Thrown if a channel did not accept a message, or if it is unknown whether it did. `code` contains no text from the channel's server, so
 * it may be stored and shown.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }

  /** Converts any thrown value to a failure with a code, such as `ECONNREFUSED` or `HTTP_503`. */
  static of(error: unknown): NotSent {
    if (error instanceof NotSent) return error;
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause.name === 'TimeoutError') return new NotSent('TIMEOUT');
      const { code } = cause as { readonly code?: unknown };
      if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return new NotSent(code);
    }
    return new NotSent('FAILED');
  }
}
