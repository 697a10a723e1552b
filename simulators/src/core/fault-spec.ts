import { refusal } from './refusal.ts';

/** One disturbance of requests, as the body of `POST faults` describes it. */
export type FaultSpec = {
  /** Limits the fault to this operation; if absent, any operation matches. */
  readonly operation?: string;
  /** The status of the answer, whose body has the simulated system's form. The operation's handler does not run. */
  readonly status?: number;
  /** How long the simulator waits (real time) before it handles the request. */
  readonly delayMs?: number;
  /** Whether the request never gets an answer. The operation's handler does not run. */
  readonly hang?: boolean;
  /**
   * `before`: drop the connection in place of the handler. `after`: run the handler, then drop the connection. `early`: drop it at once but
   * still run the handler, after `delayMs`, like a system that notices the lost connection too late.
   */
  readonly cut?: 'before' | 'after' | 'early';
  /** Seconds until the window's reset in a throttled answer. Without `status`, the answer is a 429. */
  readonly resetSeconds?: number;
  /** Seconds in the answer's `Retry-After` header. Without `status`, the answer is a 429. */
  readonly retryAfterSeconds?: number;
  /** Limits the fault to requests whose path or body contains this text, as a firewall refuses a record because of a word. */
  readonly words?: string;
  /** How many requests the fault applies to; if absent, no limit. */
  readonly times?: number;
  /** The fraction of matching requests that the fault applies to, drawn by a seeded generator; if absent, all. */
  readonly share?: number;
} & ChosenError;

/** An error that replaces the default one, for simulators that support it. */
export type ChosenError = {
  /** The error code of the answer. Without `status`, the code's published status applies, or 400 if it has none. */
  readonly errorCode?: string;
  readonly message?: string;
  readonly fields?: readonly string[];
  /** The index (from 0) of the only row of a collection that fails. The other rows are processed. */
  readonly row?: number;
  /** All rows of a collection fail if it has more rows than this, like at a governor limit; a smaller collection succeeds. */
  readonly mostRows?: number;
  /** The text with which the simulator answers, as the body. */
  readonly body?: string;
};

type Check = { readonly rule: string; readonly holds: (value: unknown) => boolean };

const isWhole = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

const CHECKS: Readonly<Record<Exclude<keyof FaultSpec, keyof ChosenError>, Check>> = {
  operation: { rule: 'a known operation name', holds: (v) => typeof v === 'string' && v !== '' },
  status: { rule: 'a whole number from 200 to 599', holds: (v) => isWhole(v, 200, 599) },
  delayMs: { rule: 'a whole number of milliseconds, 0 to 3600000', holds: (v) => isWhole(v, 0, 3_600_000) },
  hang: { rule: 'true or false', holds: (v) => typeof v === 'boolean' },
  cut: {
    rule: '"before", "after" or "early"',
    holds: (v) => ['before', 'after', 'early'].includes(String(v)),
  },
  resetSeconds: { rule: 'a whole number of seconds, 0 to 86400', holds: (v) => isWhole(v, 0, 86_400) },
  retryAfterSeconds: {
    rule: 'a whole number of seconds, 0 to 86400',
    holds: (v) => isWhole(v, 0, 86_400),
  },
  words: { rule: 'a text', holds: (v) => typeof v === 'string' && v !== '' },
  times: { rule: 'a whole number from 1', holds: (v) => isWhole(v, 1, Number.MAX_SAFE_INTEGER) },
  share: {
    rule: 'a number above 0 and at most 1',
    holds: (v) => typeof v === 'number' && v > 0 && v <= 1,
  },
};

const isText = (value: unknown): boolean => typeof value === 'string';

const ERROR_CHECKS: Readonly<Record<keyof ChosenError, Check>> = {
  errorCode: { rule: 'letters, digits, underscores and dots', holds: (v) => isText(v) && /^[\w.]+$/.test(String(v)) },
  message: { rule: 'a text', holds: isText },
  fields: { rule: 'a list of texts', holds: (v) => Array.isArray(v) && v.every(isText) },
  row: { rule: 'a whole number from 0', holds: (v) => isWhole(v, 0, 10_000) },
  mostRows: { rule: 'a whole number from 1', holds: (v) => isWhole(v, 1, 10_000) },
  body: { rule: 'a text', holds: isText },
};

/** What a simulator lets a fault choose: parts of an error, and the status of an error code (400 by default). */
export type FaultChoices = {
  readonly choosesErrors?: readonly (keyof ChosenError)[];
  statusOf?(errorCode: string): number;
};

/**
 * Checks the body of `POST faults`. Throws a refusal that names the field: unknown fields, values out of range, an operation not in
 * `operations`, a fault without effect, or two answers at once.
 */
export function parseFault(
  input: unknown,
  operations: readonly string[],
  { choosesErrors = [], statusOf }: FaultChoices = {},
): FaultSpec {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw refusal(400, 'A fault is a JSON object.');
  }
  const chosen = choosesErrors.map((field) => [field, ERROR_CHECKS[field]] as const);
  const checks = { ...CHECKS, ...Object.fromEntries(chosen) };
  for (const [field, value] of Object.entries(input)) checkField(checks, field, value);
  const spec = input as FaultSpec;
  if (spec.operation !== undefined && !operations.includes(spec.operation)) {
    throw refusal(400, `The fault's operation is unknown. Known: ${operations.join(', ')}.`);
  }
  checkError(spec);
  const withStatus = withDefaultStatus(spec, statusOf);
  checkEffects(withStatus);
  return withStatus;
}

function withDefaultStatus(spec: FaultSpec, statusOf: FaultChoices['statusOf']): FaultSpec {
  const isOfRows = spec.row !== undefined || spec.mostRows !== undefined;
  if (spec.status !== undefined || spec.cut !== undefined || spec.hang === true || isOfRows) return spec;
  if (spec.errorCode !== undefined) return { ...spec, status: statusOf?.(spec.errorCode) ?? 400 };
  const isThrottled = spec.resetSeconds !== undefined || spec.retryAfterSeconds !== undefined;
  return isThrottled ? { ...spec, status: 429 } : spec;
}

function checkField(checks: Readonly<Record<string, Check>>, field: string, value: unknown): void {
  const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
  if (check === undefined) {
    throw refusal(400, `A fault has no field "${field}". Known: ${Object.keys(checks).join(', ')}.`);
  }
  if (!check.holds(value)) throw refusal(400, `The fault's ${field} must be ${check.rule}.`);
}

function checkEffects(spec: FaultSpec): void {
  const answers = [
    spec.status !== undefined,
    spec.hang === true,
    spec.cut !== undefined,
    spec.row !== undefined,
    spec.mostRows !== undefined,
  ].filter(Boolean).length;
  if (answers === 0 && spec.delayMs === undefined) {
    throw refusal(400, 'A fault needs an effect: status, delayMs, hang, cut or resetSeconds.');
  }
  if (answers > 1) throw refusal(400, 'A fault has one of status, hang, cut, row and mostRows, not several.');
}

function checkError({ status, errorCode, row, mostRows, body }: FaultSpec): void {
  if ((row !== undefined || mostRows !== undefined) && errorCode === undefined)
    throw refusal(400, 'A fault of rows needs an errorCode.');
  if (body === undefined) return;
  if (status === undefined || errorCode !== undefined) {
    throw refusal(400, 'A fault with a body needs a status, and has no errorCode.');
  }
}

/** The fault in short, for the log: `status:503`, `cut:after`, `hang`, `delay`. */
export function describeFault(spec: FaultSpec): string {
  if (spec.cut !== undefined) return `cut:${spec.cut}`;
  if (spec.hang === true) return 'hang';
  if (spec.status !== undefined) return `status:${spec.status}`;
  if (spec.row !== undefined) return `row:${spec.row}`;
  if (spec.mostRows !== undefined) return `mostRows:${spec.mostRows}`;
  return 'delay';
}
