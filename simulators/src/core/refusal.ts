import { HTTPException } from 'hono/http-exception';

/** The error of a refused admin call, with a sentence that names the repair. Throw it. The admin app answers `{error: {message}}`. */
export function refusal(status: 400 | 403 | 404 | 409 | 415, message: string): HTTPException {
  return new HTTPException(status, { message });
}
