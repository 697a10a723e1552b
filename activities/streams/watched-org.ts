import { NARROWED_FOR_MS } from '../../src/domain/record/crm-schema.ts';
import { schemaFor } from '../../src/observe/mapping/judge-mapping.ts';
import { afterLook, hiddenFields, isAnyShownAgain, type OrgWatch } from '../../src/observe/mapping/org-watch.ts';
import type { StreamSource } from './stream.ts';

/**
 * Compares the org's descriptions of its objects (Salesforce's describe) with the mapping, and stores changes and mismatches of mapped
 * fields. If a hidden field has become visible, retries the records that wait for it.
 */
export const watchedOrg: StreamSource<'watchOrg'> = ({ name, deps, runtime: { crm, tenant } }) => ({
  cursors: [name],
  read: async (_, [stored = null]) => {
    const now = deps.now();
    const before = stored as OrgWatch | null;
    const after = afterLook(before, await schemaFor(crm, tenant.mapping), tenant, now);
    if (isAnyShownAgain(before, after)) {
      // After this time no worker omits fields because of an older description.
      const at = new Date(Date.parse(now) + NARROWED_FOR_MS).toISOString();
      await deps.ledger.retryIssue(tenant.tenant, 'field-hidden', at);
    }
    await deps.ledger.saveCursor(tenant.tenant, name, after, now);
    const changed = after.changes.filter(({ at }) => at === now).length;
    return { found: changed + hiddenFields(after).length, more: false };
  },
});
