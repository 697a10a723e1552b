import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields, CrmValue } from '../../src/domain/record/crm-graph.ts';
import type { CrmObject, VendorStreamRow } from '../../src/domain/streams/streams.ts';
import { CrmError, type CrmErrorKind } from '../../src/salesforce/errors.ts';
import type { Reading, Sink, StreamOf } from './stream.ts';

/** A row as it is written: every field that the stream's row names, and no other. */
export type CrmRow<Into extends CrmObject> = {
  readonly [Field in Into['fields'][number]]: CrmValue;
} & { readonly [Field in Into['externalId']]: string };

type IntoCrm = VendorStreamRow & { readonly into: CrmObject };

/** What may be one row's own; every other failure is that of the request, and ends the run before the cursor moves. */
const FOR_GOOD: ReadonlySet<CrmErrorKind> = new Set(['permanent', 'schema-mismatch', 'gone']);
/** What a row is tried again for by the retry schedule. */
const FOR_NOW: ReadonlySet<CrmErrorKind> = new Set(['busy', 'governor', 'unknown']);

/** Refused rows that are tried again in one run. */
export const MOST_RETRIED = 200;

/**
 * Upserts rows into the object of the CRM that the stream's row names, then moves the cursor; a page that is taken again
 * changes nothing. A row that the CRM refuses for its own sake holds nobody up: it is kept, and tried again after an hour, then
 * later each time. Where the org lacks the object or a field, or does not let our user, no row is at fault: that ends the
 * run, as any other failure does, before the cursor moves.
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

/** Writes rows, and keeps those that are refused; how many. */
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

/** Where rows are written: `name` is what those that the CRM refuses are kept under. */
export type RowFeed = Pick<Reading, 'name' | 'deps' | 'runtime'> & {
  readonly into: Pick<CrmObject, 'object' | 'externalId'>;
};

/**
 * Keeps the rows that the CRM refused for their own sake, and forgets those that it took; the external ids of both. Any other
 * failure throws, and so do rows that are all refused for what the org lacks.
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
  // Of many rows at once it is the org that refuses for now, and the stream comes again.
  if (time === 'first' && first && errors.length > 1 && errors.every((error) => error && isOfTheOrg(error)))
    throw first;
  // One row that is refused so may have its own reason; it is one of the stream while no other is taken.
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

/** Whether an error may be one row's own. */
export function isOfARow({ kind }: CrmError): boolean {
  return FOR_GOOD.has(kind) || FOR_NOW.has(kind);
}

/** Whether a row is refused as it is, and not only for now. */
export function isForGood({ kind }: CrmError): boolean {
  return FOR_GOOD.has(kind);
}

/** Maintenance, say; a limit of the org's automation is met by a number of rows, which was halved to one. */
function isOfTheOrg({ kind, code }: CrmError): boolean {
  return (kind === 'busy' || kind === 'unknown') && code !== 'NOT_SENT_YET';
}

export function reasonOf({ code, fields }: CrmError): string {
  return [code, ...fields].join(' ');
}
