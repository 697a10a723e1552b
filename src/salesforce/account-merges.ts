import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId, textLiteral } from './soql.ts';

/**
 * The maximum number of merges that are followed from one account to the next. More than one may be necessary, because the account that
 * remains after a merge may be merged itself later. After this number, the account counts as not merged. Each step is a query.
 */
const MOST_STEPS = 5;

export async function isMergedInto(
  session: Session,
  formerId: string,
  accountId: string,
  call: RestCall,
): Promise<boolean> {
  let id: string | null = formerId;
  for (let step = 0; step < MOST_STEPS && id !== null; step += 1) {
    id = await masterOf(session, id, call);
    if (id !== null && id.slice(0, 15) === accountId.slice(0, 15)) return true;
  }
  return false;
}

/** The account into which the given account was merged; null if it was not merged, or if the recycle bin no longer contains it. */
async function masterOf(session: Session, accountId: string, call: RestCall): Promise<string | null> {
  if (!isRecordId(accountId)) return null;
  const soql = `SELECT MasterRecordId FROM Account WHERE Id = ${textLiteral(accountId)}`;
  const { rows } = await queryRows(session, soql, { ...call, deleted: true });
  const master = rows[0]?.['MasterRecordId'];
  return typeof master === 'string' ? master : null;
}
