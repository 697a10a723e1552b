import { HTTPException } from 'hono/http-exception';

/** An admin call refused with a sentence that says what to do. Throw it; the admin app answers `{error: {message}}`. */
export function refusal(status: 400 | 403 | 404 | 409 | 415, message: string): HTTPException {
  return new HTTPException(status, { message });
}
