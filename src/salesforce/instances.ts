import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { isRecordId, textLiteral } from './soql.ts';

/**
 * The number of characters at the beginning of a record id that name the object and the Salesforce instance on which the record was
 * created.
 */
const INSTANCE_LENGTH = 6;
const KNOWN_FOR_MS = 3_600_000;

/**
 * Makes a function that finds out whether this org has any opportunity from the Salesforce instance that an id names. If it has none, the
 * id's record was created in another org. Sends at most one request an hour for each instance.
 */
export function createInstances(session: Session, now: () => number) {
  const known = new Map<string, { readonly hasRows: boolean; readonly atMs: number }>();
  return {
    async haveMade(opportunityId: string, call: RestCall): Promise<boolean> {
      if (!isRecordId(opportunityId)) return true;
      const instance = opportunityId.slice(0, INSTANCE_LENGTH);
      const before = known.get(instance);
      if (before !== undefined && now() - before.atMs < KNOWN_FOR_MS) return before.hasRows;
      const atMs = now();
      const [first, last] = [...'0z'].map((digit) => textLiteral(instance.padEnd(15, digit)));
      const soql = `SELECT Id FROM Opportunity WHERE Id >= ${first} AND Id <= ${last} LIMIT 1`;
      const { rows } = await queryRows(session, soql, { ...call, deleted: true });
      known.set(instance, { hasRows: rows.length > 0, atMs });
      return rows.length > 0;
    },
  };
}
