import { describeError } from './describe-error.ts';

/**
 * The names of fields that a log line may have. Add a name only if its field can never contain a name, amount, e-mail, header or body of
 * a business record.
 */
const LOGGED_FIELDS = [
  'component',
  'tenant',
  'key',
  'crmId',
  'vendorId',
  'planId',
  'deliveryId',
  'workflowId',
  'workflowType',
  'runId',
  'activityId',
  'activityType',
  'taskQueue',
  'namespace',
  'operation',
  'group',
  'stream',
  'source',
  'route',
  'method',
  'status',
  'code',
  'kind',
  'reason',
  'shard',
  'state',
  'step',
  'attempt',
  'traceId',
  'signal',
  'exitCode',
  'port',
  'host',
  'address',
  'file',
  'line',
  'version',
  'name',
  'check',
  'count',
  'ignored',
  'total',
  'durationMs',
  'waitMs',
  'until',
  'since',
  'childPid',
  'sdkComponent',
] as const;

type LoggedField = (typeof LOGGED_FIELDS)[number];
type LogValue = string | number | boolean | null | undefined;

/** The fields of one log line. `err` may be any thrown value; it is reduced to codes and stack frames. */
export type LogFields = { readonly [F in LoggedField]?: LogValue } & { readonly err?: unknown };

const LISTED: ReadonlySet<string> = new Set(LOGGED_FIELDS);
const MAX_VALUE_LENGTH = 300;

/** Returns those fields of an object that may be logged. The object may come from elsewhere, for example from another library's logger. */
export function pickFields(fields: Readonly<Record<string, unknown>>): LogFields {
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (LISTED.has(name) && isPlain(value)) picked[name] = value;
    if (name === 'err' || name === 'error') picked['err'] = value;
  }
  return picked as LogFields;
}

/**
 * Returns the fields as they are written to the log: only listed names, values cut to a maximum length, errors reduced to codes and stack
 * frames.
 */
export function listedFields(fields: LogFields): Record<string, unknown> {
  const { err, ...rest } = pickFields(fields);
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    written[name] = typeof value === 'string' ? value.slice(0, MAX_VALUE_LENGTH) : value;
  }
  if (err !== undefined) written['err'] = describeError(err);
  return written;
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
