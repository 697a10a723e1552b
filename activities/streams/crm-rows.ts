import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields, CrmValue } from '../../src/domain/record/crm-graph.ts';
import type { CrmObject, VendorStreamRow } from '../../src/domain/streams/streams.ts';
import { CrmError, type CrmErrorKind } from '../../src/salesforce/errors.ts';
import type { Reading, Sink, StreamOf } from './stream.ts';

/** A CRM row to write. It has exactly the fields that the table of all streams (`STREAMS`) lists for the row's stream. */
export type CrmRow<Into extends CrmObject> = {
  readonly [Field in Into['fields'][number]]: CrmValue;
} & { readonly [Field in Into['externalId']]: string };

type IntoCrm = VendorStreamRow & { readonly into: CrmObject };

/** Kinds of CRM errors with which the CRM refuses a row permanently. */
const FOR_GOOD: ReadonlySet<CrmErrorKind> = new Set(['permanent', 'schema-mismatch', 'gone']);
/**
 * Kinds of CRM errors after which a row is sent again later, by a retry schedule. If an error is neither among these kinds nor permanent,
 * the read of the stream ends before the cursor moves.
 */
const FOR_NOW: ReadonlySet<CrmErrorKind> = new Set(['busy', 'governor', 'unknown']);

/** The maximum number of rows, refused by the CRM earlier, that one read of a stream retries. */
export const MOST_RETRIED = 200;

/**
 * A sink (receiver of a stream's pages) that upserts rows into the stream's CRM object, then moves the cursor. Repeatable. A row that the
 * CRM refuses is stored, and retried later at growing intervals. If the org lacks the object, a field or a permission, the read of the
 * stream ends before the cursor moves.
 */
export function crmRows<Row extends IntoCrm>(stream: StreamOf<Row>): Sink<CrmRow<Row['into']>> {
  const { now, ledger } = stream.deps;
  const { tenant } = stream.runtime.tenant;
  let found = 0;
  let refused = 0;
  return {
    begin: async () => {
      const due = await ledger.refusedRows(tenant, stream.name, now(), MOST_RETRIED);
      if (due.length > 0) await upsert(stream, due, 'again');
      return true;
    },
    take: async (rows, move) => {
      refused += await upsert(stream, rows, 'first');
      found += rows.length;
      await ledger.moveCursor(tenant, move, now());
    },
    finish: async () => ({ found, refused }),
  };
}

/** Upserts rows into the CRM, and stores the rows that the CRM refused. Returns the number of refused rows. */
async function upsert(
  { name, row: { into }, deps, runtime }: StreamOf<IntoCrm>,
  rows: readonly CrmFields[],
  time: 'first' | 'again',
): Promise<number> {
  if (rows.length === 0) return 0;
  const { object, externalId } = into;
  const errors = await runtime.crm.upsertRows(object, externalId, rows, { signal: cancellationSignal() });
  const { refused } = await settleAnswers({ name, into, deps, runtime }, rows, errors, time);
  return refused.length;
}

/**
 * Where rows are written: the tenant's CRM object, and the name under which the ledger (Lockstep's database) stores the rows that the CRM
 * refused.
 */
export type RowFeed = Pick<Reading, 'name' | 'deps' | 'runtime'> & {
  readonly into: Pick<CrmObject, 'object' | 'externalId'>;
};

/**
 * Stores the rows that the CRM refused, and deletes earlier refusals of rows that the CRM has now accepted. Returns the external ids of
 * refused and accepted rows. Throws if an error concerns the whole request, if Salesforce refuses all rows because of the org (such as
 * maintenance, or a missing object, field or permission), or if too many rows of the stream are refused.
 */
export async function settleAnswers(
  { name, into: { object, externalId }, deps, runtime }: RowFeed,
  rows: readonly CrmFields[],
  errors: readonly (CrmError | null)[],
  time: 'first' | 'again',
): Promise<{ readonly taken: readonly string[]; readonly refused: readonly string[] }> {
  const { tenant } = runtime.tenant;
  const fault = errors.find((error) => error !== null && !isOfARow(error));
  if (fault) throw fault;
  const [first] = errors;
  // If the org refuses all of several rows for now, for example during maintenance, the whole stream is retried.
  if (time === 'first' && first && errors.length > 1 && errors.every((error) => error && isOfTheOrg(error)))
    throw first;
  // One row may cause its own schema mismatch. If all rows have one, the stream is at fault.
  if (time === 'first' && first && errors.every((error) => error?.kind === 'schema-mismatch')) throw first;
  const answered = rows.map((row, place) => ({
    id: String(row[externalId]),
    row,
    error: errors[place] ?? null,
  }));
  const taken = answered.flatMap(({ id, error }) => (error === null ? [id] : []));
  const refused = answered.flatMap(({ id, row, error }) =>
    error === null
      ? []
      : [
          {
            id,
            row,
            reason: reasonOf(error),
            ...(FOR_NOW.has(error.kind) ? { isForNow: true as const } : {}),
          },
        ],
  );
  for (const { reason } of refused) log.warn('the CRM refused a row', { object, reason });
  if (await deps.ledger.settleRows(tenant, name, { taken, refused }, deps.now()))
    return { taken, refused: refused.map(({ id }) => id) };
  throw new CrmError('schema-mismatch', 'TOO_MANY_REFUSED', 'Salesforce refuses too many rows of a stream.', {
    fields: [object],
  });
}

/** Whether an error may concern only one row of a request, so that the other rows may have been written. */
export function isOfARow({ kind }: CrmError): boolean {
  return FOR_GOOD.has(kind) || FOR_NOW.has(kind);
}

/** Whether an error means that the CRM refuses a row permanently. */
export function isForGood({ kind }: CrmError): boolean {
  return FOR_GOOD.has(kind);
}

/**
 * Whether the whole org refuses writes for now, as during maintenance. A limit of the org's own automation concerns single rows and does
 * not count.
 */
function isOfTheOrg({ kind, code }: CrmError): boolean {
  return (kind === 'busy' || kind === 'unknown') && code !== 'NOT_SENT_YET';
}

export function reasonOf({ code, fields }: CrmError): string {
  return [code, ...fields].join(' ');
}
