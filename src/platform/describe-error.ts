/**
 * The properties of an error that may be logged. The error's message is not among them, because it can contain a remote's answer, a value
 * or a token.
 */
export type ErrorDescription = {
  readonly name: string;
  readonly code?: string | number;
  /** The failure type of a Temporal failure. */
  readonly type?: string;
  readonly kind?: string;
  readonly status?: number;
  /** Stack frames, innermost first. */
  readonly at: readonly string[];
  readonly cause?: ErrorDescription;
};

const MAX_FRAMES = 12;
const MAX_CAUSES = 4;

/** Reduces any thrown value, and each error that caused it, to name, code, type, kind, HTTP status and stack frames. */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: `thrown ${typeof thrown}`, at: [] };
  const { code, kind, status, statusCode, type } = thrown as unknown as Record<string, unknown>;
  const httpStatus = typeof status === 'number' ? status : statusCode;
  return {
    name: word(thrown.name) ?? 'Error',
    ...(typeof code === 'number' ? { code } : word(code) && { code: word(code) as string }),
    ...(word(type) && { type: word(type) as string }),
    ...(word(kind) && { kind: word(kind) as string }),
    ...(typeof httpStatus === 'number' && { status: httpStatus }),
    at: frames(thrown),
    ...(thrown.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(thrown.cause, depth + 1) }),
  };
}

/** Returns the text if it has the form of a code, and null if it may be a sentence or a value. */
function word(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : null;
}

function frames(error: Error): string[] {
  const stack = (error.stack ?? '').replace(error.message, '');
  const lines = stack.split('\n').filter((line) => /^\s+at \S.*(:\d+:\d+\)?|\(native\)|<anonymous>\)?)$/.test(line));
  return lines.slice(0, MAX_FRAMES).map((line) => line.trim());
}
