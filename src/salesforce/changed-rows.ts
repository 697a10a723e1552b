import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import { flagOf, idOf, instantOf } from './answers.ts';
import { afterPosition } from './changes.ts';
import type { ChangedRow, ChangedRowPage, ChangedRows } from './crm.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId, textLiteral } from './soql.ts';

/**
 * Reads one page of an object's rows after a position (a SystemModstamp and an Id), sorted by SystemModstamp and Id. Deleted rows are
 * included. With `byOthers`, only rows that are deleted, or that a user other than the integration user changed last. If the sign-in did
 * not return the integration user's id, such a page is empty.
 */
export async function changedRows(
  { session, now }: { readonly session: Session; readonly now: () => number },
  { object, fields, byOthers = false }: ChangedRows,
  position: CrmPosition,
  limit: number,
  call: RestCall,
): Promise<ChangedRowPage> {
  const userId = byOthers ? await session.userId(call.signal) : null;
  if (byOthers && (userId === null || !isRecordId(userId)))
    return { rows: [], position, more: false, now: new Date(now()).toISOString() };
  const others = userId === null ? '' : `(LastModifiedById != ${textLiteral(userId)} OR IsDeleted = true) AND `;
  const soql =
    `SELECT ${['Id', 'SystemModstamp', 'IsDeleted', ...fields].join(', ')} FROM ${object} ` +
    `WHERE ${others}${afterPosition(position)} ORDER BY SystemModstamp, Id LIMIT ${limit}`;
  const { rows, date } = await queryRows(session, soql, { ...call, deleted: true });
  const found = rows.map(
    (row): ChangedRow => ({
      rowId: idOf(row['Id']),
      stamp: instantOf(row['SystemModstamp']),
      isDeleted: flagOf(row['IsDeleted']),
      fields: Object.fromEntries(fields.map((field) => [field, row[field]])),
    }),
  );
  const last = found.at(-1);
  return {
    rows: found,
    position: last === undefined ? position : { systemModstamp: last.stamp, id: last.rowId },
    more: rows.length === limit,
    now: date ?? new Date(now()).toISOString(),
  };
}
