import { open } from 'node:fs/promises';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { UnknownTenant } from './tenant-state.ts';

export type TenantExported = { readonly file: string; readonly rows: number };

/**
 * Exports a tenant's rows in the ledger (Lockstep's database) to a new file of mode 0600, one line of JSON for each row, without secrets.
 * An existing file is never overwritten. Does not check whether the tenant exists. Throws `UnknownTenant` if the file exists or cannot be
 * created; here the error's name does not fit, but its message names the reason.
 */
export async function exportTenant(
  { exportTenant: pages }: Pick<TenantLedger, 'exportTenant'>,
  tenant: string,
  file: string,
): Promise<TenantExported> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'is there already: name a new file' : `cannot be made (${error.code})`;
    throw new UnknownTenant(`${file} ${why}.`);
  });
  try {
    let rows = 0;
    for await (const page of pages(tenant)) {
      await handle.writeFile(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
      rows += page.length;
    }
    await handle.sync();
    return { file, rows };
  } finally {
    await handle.close();
  }
}
