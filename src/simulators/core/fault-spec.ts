import { refusal } from './refusal.ts';

/** One disturbance, as `POST faults` takes it. */
export type FaultSpec = {
  /** Only this operation; any when absent. */
  readonly operation?: string;
  /** Answer with this status, in the simulated system's own body, in place of the handler. */
  readonly status?: number;
  /** Wait this long (real time) before anything else. */
  readonly delayMs?: number;
  /** Never answer; the handler does not run. */
  readonly hang?: boolean;
  /** `before`: drop the connection in place of the handler. `after`: run the handler, then drop the connection. */
  readonly cut?: 'before' | 'after';
  /** What a throttled answer says about the window's reset; without `status` it means 429. */
  readonly resetSeconds?: number;
  /** How often it applies; for ever when absent. */
  readonly times?: number;
  /** The fraction of matching requests it applies to, drawn by a seeded generator; all when absent. */
  readonly share?: number;
};

type Check = { readonly rule: string; readonly holds: (value: unknown) => boolean };

const isWhole = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

const CHECKS: Readonly<Record<keyof FaultSpec, Check>> = {
  operation: { rule: 'a known operation name', holds: (v) => typeof v === 'string' && v !== '' },
  status: { rule: 'a whole number from 200 to 599', holds: (v) => isWhole(v, 200, 599) },
  delayMs: { rule: 'a whole number of milliseconds, 0 to 3600000', holds: (v) => isWhole(v, 0, 3_600_000) },
  hang: { rule: 'true or false', holds: (v) => typeof v === 'boolean' },
  cut: { rule: '"before" or "after"', holds: (v) => v === 'before' || v === 'after' },
  resetSeconds: { rule: 'a whole number of seconds, 0 to 86400', holds: (v) => isWhole(v, 0, 86_400) },
  times: { rule: 'a whole number from 1', holds: (v) => isWhole(v, 1, Number.MAX_SAFE_INTEGER) },
  share: {
    rule: 'a number above 0 and at most 1',
    holds: (v) => typeof v === 'number' && v > 0 && v <= 1,
  },
};

/**
 * Checks the body of `POST faults`. Throws a refusal that names the field: unknown fields, values out of range,
 * an operation not in `operations`, a fault without effect, or two answers at once.
 */
export function parseFault(input: unknown, operations: readonly string[]): FaultSpec {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw refusal(400, 'A fault is a JSON object.');
  }
  for (const [field, value] of Object.entries(input)) checkField(field, value);
  const spec = input as FaultSpec;
  if (spec.operation !== undefined && !operations.includes(spec.operation)) {
    throw refusal(400, `The fault's operation is unknown. Known: ${operations.join(', ')}.`);
  }
  const withStatus =
    spec.resetSeconds !== undefined &&
    spec.status === undefined &&
    spec.cut === undefined &&
    spec.hang !== true
      ? { ...spec, status: 429 }
      : spec;
  checkEffects(withStatus);
  return withStatus;
}

function checkField(field: string, value: unknown): void {
  if (!Object.hasOwn(CHECKS, field)) {
    throw refusal(400, `A fault has no field "${field}". Known: ${Object.keys(CHECKS).join(', ')}.`);
  }
  const check = CHECKS[field as keyof FaultSpec];
  if (!check.holds(value)) throw refusal(400, `The fault's ${field} must be ${check.rule}.`);
}

function checkEffects(spec: FaultSpec): void {
  const answers = [spec.status !== undefined, spec.hang === true, spec.cut !== undefined].filter(
    Boolean,
  ).length;
  if (answers === 0 && spec.delayMs === undefined) {
    throw refusal(400, 'A fault needs an effect: status, delayMs, hang, cut or resetSeconds.');
  }
  if (answers > 1) throw refusal(400, 'A fault has one of status, hang and cut, not several.');
}

/** The fault in short, for the log: `status:503`, `cut:after`, `hang`, `delay`. */
export function describeFault(spec: FaultSpec): string {
  if (spec.cut !== undefined) return `cut:${spec.cut}`;
  if (spec.hang === true) return 'hang';
  if (spec.status !== undefined) return `status:${spec.status}`;
  return 'delay';
}
