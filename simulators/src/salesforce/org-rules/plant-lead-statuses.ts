import type { Org } from '../org.ts';
import { LEAD_STATUSES } from '../schema/activities.ts';
import { toApiInstant } from '../store/instant.ts';

/** Adds a row for each lead status that lacks one. */
export function plantLeadStatuses({ store, clock, identity }: Org): void {
  const known = new Set(Array.from(store.rows('LeadStatus'), (row) => row['ApiName']));
  for (const [position, { name, converted }] of LEAD_STATUSES.entries()) {
    if (known.has(name)) continue;
    const at = toApiInstant(clock.now());
    const by = identity.salesUserId;
    store.put('LeadStatus', {
      Id: store.nextId('01J'),
      ...{ MasterLabel: name, ApiName: name, SortOrder: position + 1 },
      ...{ IsDefault: position === 0, IsConverted: converted },
      ...{ CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by, SystemModstamp: at },
    });
  }
}
