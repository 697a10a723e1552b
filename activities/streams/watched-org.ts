import { schemaFor } from '../../src/observe/mapping/judge-mapping.ts';
import { afterLook, type OrgWatch } from '../../src/observe/mapping/org-watch.ts';
import type { StreamSource } from './stream.ts';

/** Compares the org's describe results with the mapping. Stores changes of mapped fields, and mismatches, as the stream's cursor. */
export const watchedOrg: StreamSource<'watchOrg'> = ({ name, deps, runtime: { crm, tenant } }) => ({
  cursors: [name],
  read: async (_, [before = null]) => {
    const now = deps.now();
    const after = afterLook(before as OrgWatch | null, await schemaFor(crm, tenant.mapping), tenant, now);
    await deps.ledger.saveCursor(tenant.tenant, name, after, now);
    return { found: after.changes.filter(({ at }) => at === now).length, more: false };
  },
});
