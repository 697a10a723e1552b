import type { CrmFieldChange } from '../domain/record/crm-graph.ts';
import { instantOf, textOf } from './answers.ts';
import { CrmError } from './errors.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { instantLiteral, isRecordId, listLiteral, textLiteral } from './soql.ts';

/** If an org shows no field history, Lockstep does not ask the org for it again for this long, in ms. */
const ABSENT_FOR_MS = 10 * 60_000;

/** The maximum number of rows of field history that are read, enough to find the newest change of each field. */
const MOST_ROWS = 200;

export interface FieldHistory {
  changes(
    opportunityId: string,
    fields: readonly string[],
    since: string | null,
    call: RestCall,
  ): Promise<readonly CrmFieldChange[]>;
}

/**
 * Creates the reader of `OpportunityFieldHistory`, in which Salesforce keeps the changes of tracked fields for 18 to 24 months. It reads
 * which fields changed, when and by whom, but not the values, because the history lacks long values.
 */
export function createFieldHistory(session: Session, now: () => number): FieldHistory {
  let absentSinceMs = Number.NEGATIVE_INFINITY;
  return {
    async changes(opportunityId, fields, since, call) {
      if (now() - absentSinceMs < ABSENT_FOR_MS || !isRecordId(opportunityId) || fields.length === 0) return [];
      const atMs = now();
      try {
        return await read(session, opportunityId, fields, since, call);
      } catch (error) {
        if (!(error instanceof CrmError) || !NOT_SHOWN.has(error.code)) throw error;
        absentSinceMs = atMs;
        return [];
      }
    },
  };
}

const NOT_SHOWN: ReadonlySet<string> = new Set(['INVALID_TYPE', 'INVALID_FIELD', 'INSUFFICIENT_ACCESS']);

async function read(
  session: Session,
  opportunityId: string,
  fields: readonly string[],
  since: string | null,
  call: RestCall,
): Promise<readonly CrmFieldChange[]> {
  const from = since === null ? '' : `AND CreatedDate >= ${instantLiteral(since)} `;
  const soql =
    'SELECT Field, CreatedDate, CreatedById FROM OpportunityFieldHistory ' +
    `WHERE OpportunityId = ${textLiteral(opportunityId)} AND Field IN ${listLiteral(fields)} ${from}` +
    `ORDER BY CreatedDate DESC LIMIT ${MOST_ROWS}`;
  const { rows, userId } = await queryRows(session, soql, call);
  // Without the integration user's id, Lockstep's own writes would look like changes by other users.
  if (userId === null) return [];
  return rows
    .map((row) => ({
      field: textOf(row['Field']),
      at: instantOf(row['CreatedDate']),
      by: textOf(row['CreatedById']),
    }))
    .filter(({ by }) => by.slice(0, 15) !== userId.slice(0, 15));
}
