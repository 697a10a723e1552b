import { schemaFor } from '../../src/observe/mapping/judge-mapping.ts';
import { afterLook, type OrgWatch } from '../../src/observe/mapping/org-watch.ts';
import type { StreamSource } from './stream.ts';

/**
 * Looks at how the org describes what the mapping touches, and keeps what changed since the last look and what does not go with
 * the mapping: it is told before a write fails on it. What is kept is the stream's cursor.
 */
export const watchedOrg: StreamSource<'watchOrg'> = ({ name, deps, runtime: { crm, tenant } }) => ({
  cursors: [name],
  read: async (_, [before = null]) => {
    const now = deps.now();
    const after = afterLook(before as OrgWatch | null, await schemaFor(crm, tenant.mapping), tenant, now);
    await deps.ledger.saveCursor(tenant.tenant, name, after, now);
    return { found: after.changes.filter(({ at }) => at === now).length, more: false };
  },
});
