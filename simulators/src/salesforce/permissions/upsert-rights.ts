import type { FieldDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Access } from './access.ts';

/**
 * Only users with "View All Data" may upsert by an external id that is not unique (REST guide: "Upsert Records Using sObject Rows by
 * External ID"). The error code is assumed. Throws if the user may not upsert by this field.
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
