import { SHORTEST_MS } from '../../src/domain/streams/period-length.ts';
import type { StreamRow } from '../../src/domain/streams/streams.ts';
import type { RowVersion } from '../../src/ledger/streams/stream-ledger.ts';
import { isInstant } from '../support/vendor-time.ts';
import type { StreamOf } from './stream.ts';

/**
 * A row of a page, identified by id and modification time. A row that changes between two pages counts as a new version, so that the change
 * is read. A version that was already read is skipped.
 */
export type FoundRow<Item> = {
  readonly id: string;
  /** When the vendor last modified the row. */
  readonly stamp: string | null | undefined;
  readonly item: Item;
};

/**
 * The rows whose version (id and modification time) was not read before. A search may find a version again, because two pages may share a
 * row, and because each period is searched a second time for late changes.
 */
export async function unseenOf<Item>(
  { name, deps, runtime }: StreamOf<StreamRow>,
  rows: readonly FoundRow<Item>[],
): Promise<readonly FoundRow<Item>[]> {
  const versions = rows.flatMap((row) => versionOf(row) ?? []);
  const unseen = await deps.ledger.unseenRows(runtime.tenant.tenant, name, versions);
  const seen = new Set(versions.filter((version) => !unseen.includes(version)).map(keyOf));
  return rows.filter((row) => {
    const version = versionOf(row);
    return version === null || !seen.has(keyOf(version));
  });
}

const keyOf = ({ rowId, stamp }: RowVersion): string => `${rowId} ${stamp}`;

/**
 * The row versions (id and modification time) that identify a row's content for certain. A row that was modified just now is left out,
 * because its next change may get an equal modification time.
 */
export function settledVersions(rows: readonly FoundRow<unknown>[], vendorNow: string | null): readonly RowVersion[] {
  if (vendorNow === null) return [];
  const beforeMs = Date.parse(vendorNow) - SHORTEST_MS;
  return rows.flatMap((row) => versionOf(row) ?? []).filter(({ stamp }) => Date.parse(stamp) < beforeMs);
}

/**
 * A row's version (id and modification time) for the ledger (Lockstep's database). Null if the modification time is not valid, or if the id
 * cannot be stored.
 */
function versionOf({ id, stamp }: FoundRow<unknown>): RowVersion | null {
  if (!isInstant(stamp) || !/^[\x20-\x7e]{1,100}$/.test(id)) return null;
  return { rowId: id, stamp: new Date(stamp).toISOString() };
}
