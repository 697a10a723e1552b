import type { FieldDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Access } from './access.ts';

/**
 * An external id that is not unique is for users with "View All Data" only (REST guide: "Upsert Records Using sObject Rows by
 * External ID"); the code that says so is assumed. Throws where a user may not upsert by a field.
 */
export function checkMayUpsertBy(
  { access }: { readonly access: Access },
  userId: string,
  { name, externalId, unique }: FieldDef,
): void {
  if (!externalId || unique || access.hasUserPermission(userId, 'ViewAllData')) return;
  const message = `An upsert by ${name}, which is not unique, needs the permission View All Data.`;
  throw failure(400, 'INSUFFICIENT_ACCESS_OR_READONLY', message, [name]);
}
