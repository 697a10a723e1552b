import { describeError } from './describe-error.ts';

/** The fields of a log line. Add one only if it can never contain a name, amount, e-mail, header or body of a business record. */
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

/** Fields of one line. `err` takes any thrown value, which is reduced to codes and stack frames. */
export type LogFields = { readonly [F in LoggedField]?: LogValue } & { readonly err?: unknown };

const LISTED: ReadonlySet<string> = new Set(LOGGED_FIELDS);
const MAX_VALUE_LENGTH = 300;

/** The loggable fields of an object from elsewhere, such as another library's log metadata. The rest is left out. */
export function pickFields(fields: Readonly<Record<string, unknown>>): LogFields {
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (LISTED.has(name) && isPlain(value)) picked[name] = value;
    if (name === 'err' || name === 'error') picked['err'] = value;
  }
  return picked as LogFields;
}

/** The fields in the form that is written: listed names only, values cut to a length, errors described. */
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
