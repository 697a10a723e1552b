import { type FileHandle, open, rm } from 'node:fs/promises';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { UnknownTenant } from './tenant-state.ts';

export type TenantExported = { readonly file: string; readonly rows: number };

/** A new file for the rows of a tenant. */
export type ExportFile = { readonly file: string; readonly handle: FileHandle };

/**
 * Creates the file for an export, of mode 0600. An existing file is never overwritten. Throws `UnknownTenant` if the file exists or cannot
 * be created; here the error's name does not fit, but its message names the reason.
 */
export async function createExport(file: string): Promise<ExportFile> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'is there already: name a new file' : `cannot be made (${error.code})`;
    throw new UnknownTenant(`${file} ${why}.`);
  });
  return { file, handle };
}

/** Deletes the file of an export that did not begin. */
export async function discardExport({ file, handle }: ExportFile): Promise<void> {
  await handle.close();
  await rm(file, { force: true });
}

/**
 * Writes a tenant's rows in the ledger (Lockstep's database) to the new file, one line of JSON for each row, without secrets. Does not
 * check whether the tenant exists.
 */
export async function exportTenant(
  { exportTenant: pages }: Pick<TenantLedger, 'exportTenant'>,
  tenant: string,
  { file, handle }: ExportFile,
): Promise<TenantExported> {
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
