import type { CrmPosition } from '../domain/streams/crm-cursor.ts';
import { flagOf, idOf, instantOf, textOf } from './answers.ts';
import { afterPosition } from './changes.ts';
import type { ChangedRow, ChangedRowPage } from './crm.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId, textLiteral } from './soql.ts';

/**
 * One page of the rows of an object that others than we changed last, or deleted, in the order (SystemModstamp, Id) after a
 * position. Empty where the sign-in does not tell who we are.
 */
export async function changedByOthers(
  { session, now }: { readonly session: Session; readonly now: () => number },
  { object, externalId }: { readonly object: string; readonly externalId: string },
  position: CrmPosition,
  limit: number,
  call: RestCall,
): Promise<ChangedRowPage> {
  const userId = await session.userId(call.signal);
  if (userId === null || !isRecordId(userId))
    return { rows: [], position, more: false, now: new Date(now()).toISOString() };
  const soql =
    `SELECT Id, SystemModstamp, IsDeleted, ${externalId} FROM ${object} ` +
    `WHERE (LastModifiedById != ${textLiteral(userId)} OR IsDeleted = true) AND ${afterPosition(position)} ` +
    `ORDER BY SystemModstamp, Id LIMIT ${limit}`;
  const { rows, date } = await queryRows(session, soql, { ...call, deleted: true });
  const told = { more: rows.length === limit, now: date ?? new Date(now()).toISOString() };
  const found = rows.map((row): ChangedRow => ({
    rowId: idOf(row['Id']),
    stamp: instantOf(row['SystemModstamp']),
    // One that somebody made by hand may have none.
    externalId: row[externalId] === null ? null : textOf(row[externalId]),
    isDeleted: flagOf(row['IsDeleted']),
  }));
  const last = found.at(-1);
  return {
    rows: found,
    position: last === undefined ? position : { systemModstamp: last.stamp, id: last.rowId },
    ...told,
  };
}
