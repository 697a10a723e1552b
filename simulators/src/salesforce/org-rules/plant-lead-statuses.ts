import type { Org } from '../org.ts';
import { LEAD_STATUSES } from '../schema/activities.ts';
import { asEdited, type PicklistEdit } from '../setup/edited-picklists.ts';
import { makeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';

const FIELD = 'Lead.Status';

/** Replaces the rows of lead statuses. Renamed picklist values change their rows; a deactivated one has none. */
export function plantLeadStatuses(
  { store, clock, identity }: Pick<Org, 'store' | 'clock' | 'identity'>,
  edits: readonly PicklistEdit[] = [],
): void {
  for (const { Id } of [...store.rows('LeadStatus')]) store.purge('LeadStatus', String(Id));
  const at = toApiInstant(clock.now());
  const by = identity.salesUserId;
  for (const [position, status] of LEAD_STATUSES.entries()) {
    const { name, isActive } = asEdited(FIELD, status.name, edits);
    if (!isActive) continue;
    store.put('LeadStatus', {
      Id: makeId('01J', identity.organizationId.slice(3, 5), FIRST_NUMBER + position),
      ...{ MasterLabel: name, ApiName: name, SortOrder: position + 1 },
      ...{ IsDefault: position === 0, IsConverted: status.converted },
      ...{ CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by, SystemModstamp: at },
    });
  }
}

/** Behind the numbers of opportunity stages, whose ids have the same prefix. */
const FIRST_NUMBER = 1_000;
