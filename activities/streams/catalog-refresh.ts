import { log } from '@temporalio/activity';
import {
  askedOf,
  type CatalogKind,
  isDue,
  type MirroredBook,
  type RefreshCursor,
} from '../../src/domain/streams/catalog-refresh.ts';
import { type CatalogMirror, type CatalogRow, CURRENCY, shownRows } from '../../src/mirror/catalog/catalog-mirror.ts';
import { keptOf } from '../../src/mirror/catalog/reading.ts';
import { announceShown, announceVanished } from './announced-changes.ts';
import { catalogWrites, feedOf } from './catalog-writes.ts';
import type { Reading, StreamReader, TakenPages } from './stream.ts';

export type CatalogPage<Position> = {
  readonly rows: readonly CatalogRow[];
  /** Ids from the vendor that Lockstep cannot store, because they are empty, too long or contain characters that no id has. */
  readonly unusable?: readonly string[];
  /** The position at which the next page begins; null after the last page. */
  readonly position: Position | null;
  /** The kinds of rows (such as products or prices) whose last page this is. */
  readonly ended: readonly CatalogKind[];
  /** The part of the catalog that could not be read; absent if everything could be read. */
  readonly failed?: string | undefined;
  /** Days (`YYYY-MM-DD`) on which a row of this page takes effect. On each of these days, a refresh of the catalog is due. */
  readonly awaited?: readonly string[];
  /**
   * The price books that belong to the price lists of this page; absent if the page has no price lists. They are stored with the progress
   * of the refresh.
   */
  readonly books?: readonly MirroredBook[];
  /**
   * Set if this activity must read no further page, although more pages follow. The vendor's list changed while it was read, so rows may be
   * missing. The next poll therefore reads the list from the beginning; at once, the list might still be changing.
   */
  readonly rests?: true;
};

export type CatalogSource<Position> = {
  /** The kinds of catalog rows (such as products and prices), in the order in which they are written. */
  readonly kinds: readonly CatalogMirror[];
  readonly first: Position;
  /**
   * Returns the CRM's present price books (created from the vendor's price lists). If they have changed since the last refresh (a complete
   * reading of the catalog), another refresh is due.
   */
  readonly books?: () => Promise<readonly MirroredBook[]>;
  /**
   * Called when a refresh (a complete reading of the catalog) has ended. By then, the CRM has accepted or refused each of the refresh's
   * rows.
   */
  readonly ended?: () => Promise<void>;
  readonly readPage: (position: Position, refresh: string) => Promise<CatalogPage<Position>>;
};

/** The maximum number of rows that one step marks to be deactivated in the CRM, because the vendor does not list them any more. */
const MOST_LEAVING = 500;

/**
 * Refreshes the CRM's copy of a catalog. Each call is one step with one request to the vendor or the CRM, and the ledger (Lockstep's
 * database) stores the progress between steps. At the end, rows that the vendor no longer lists are deactivated, unless their list could
 * not be read.
 */
export function catalogRefresh<Position extends object>(
  stream: Reading,
  source: CatalogSource<Position>,
): StreamReader {
  const writes = catalogWrites(stream, source.kinds);
  const read: StreamReader['read'] = async (_, stored) => {
    const cursor = (stored[0] ?? null) as RefreshCursor<Position> | null;
    const { refresh = null, position = null } = cursor ?? {};
    if (cursor !== null && refresh !== null && position !== null) {
      const written = cursor.hasUnwritten ? await writes.full(refresh) : null;
      return written ?? readPage(stream, source, { ...cursor, refresh, position, hasUnwritten: false });
    }
    const { steps: work } = await writes.work();
    const written =
      (work.has('refused') ? await writes.again() : null) ?? (work.has('pending') ? await writes.rest(refresh) : null);
    if (written !== null) return written;
    if (cursor === null || refresh === null) return begin(stream, source, cursor);
    return (await leave(stream, source, cursor, refresh)) ?? finish(stream, source, cursor);
  };
  return { cursors: [stream.name], read };
}

/** Starts a refresh (a complete reading of the catalog) if it is due. Returns whether there is more to do. */
async function begin<Position extends object>(
  stream: Reading,
  { first, books: booksNow }: CatalogSource<Position>,
  cursor: RefreshCursor<Position> | null,
): Promise<TakenPages> {
  const { name, deps, runtime } = stream;
  const { tenant, vendor, mapping } = runtime.tenant;
  const at = deps.now();
  const asked = (await deps.ledger.cursor(tenant, askedOf(name))) as { readonly at: string } | null;
  const everyMs = vendor.catalog.everyMs;
  const books = (await booksNow?.()) ?? cursor?.books;
  const isSame = JSON.stringify(books ?? []) === JSON.stringify(cursor?.books ?? []);
  if (cursor !== null && isSame && !isDue(cursor, { at, asked: asked?.at ?? null, everyMs, zone: mapping.zone })) {
    await deps.ledger.saveCursor(tenant, name, cursor, at);
    return { found: 0, more: false };
  }
  await deps.ledger.noteGiven(tenant, CURRENCY, await currenciesOf(stream));
  const begun: RefreshCursor<Position> = {
    ...(cursor ?? { doneAt: null, awaited: [] }),
    ...{ refresh: at, begunAt: at, position: first, failed: [], hasUnwritten: false },
    ...(books !== undefined && { books }),
  };
  await deps.ledger.saveCursor(tenant, name, begun, at);
  return { found: 0, more: true };
}

/** The currencies that the org's prices may have. */
export async function currenciesOf({ runtime: { tenant, crm } }: Reading): Promise<readonly string[]> {
  if (!tenant.salesforce.multiCurrency) return [tenant.mapping.currency];
  return (await crm.priceBooks()).currencies ?? [tenant.mapping.currency];
}

async function readPage<Position extends object>(
  { name, deps, runtime }: Reading,
  source: CatalogSource<Position>,
  cursor: RefreshCursor<Position> & { readonly refresh: string; readonly position: Position },
): Promise<TakenPages> {
  const { tenant } = runtime.tenant;
  const { ledger } = deps;
  const { refresh } = cursor;
  const page = await source.readPage(cursor.position, refresh);
  const { failed, unusable = [] } = page;
  const after: RefreshCursor<Position> = {
    ...cursor,
    position: page.position,
    failed: failed === undefined ? cursor.failed : [...new Set([...cursor.failed, failed])],
    awaited: page.awaited ?? cursor.awaited,
    ...(page.books !== undefined && { books: page.books }),
    hasUnwritten: page.ended.length > 0,
  };
  const parked = unusable.length === 0 ? 0 : await ledger.parkRows(tenant, name, unusable, deps.now());
  const rows = await differing({ name, deps, runtime }, page.rows, refresh);
  const hasEnded = page.ended.length > 0;
  // A page's rows are stored before its kind is committed. After a crash in between, the page is read again.
  const move = { stream: name, position: hasEnded ? cursor : after };
  await ledger.keepShown(tenant, refresh, rows, move, deps.now());
  if (hasEnded) await announceShown({ name, deps, runtime }, cursor, page);
  if (hasEnded) await ledger.commitShown(tenant, refresh, page.ended, { stream: name, position: after }, deps.now());
  if (failed !== undefined) log.warn('a part of the catalog cannot be read', { stream: name, part: failed });
  return { found: page.rows.length, more: page.rests !== true, ...(parked > 0 ? { parked } : {}) };
}

async function differing({ deps, runtime }: Reading, rows: readonly CatalogRow[], refresh: string) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const shown = await Promise.all(
    kinds.map(async (kind) => {
      const own = rows.filter((row) => row.kind === kind);
      const ids = [...new Set(own.map(({ id }) => id))];
      return shownRows(await deps.ledger.knownRows(runtime.tenant.tenant, kind, ids, deps.now()), own, refresh);
    }),
  );
  return shown.flat().map(({ kind, needs = [], ...row }) => ({
    ...row,
    object: kind,
    needs: needs.map((need) => ({ object: need.kind, id: need.id })),
  }));
}

/**
 * Finds rows of one kind that the vendor does not list in this refresh of the catalog, and marks them so that they are deactivated in the
 * CRM. Null if there are none.
 */
async function leave<Position extends object>(
  { name, deps, runtime }: Reading,
  { kinds }: CatalogSource<Position>,
  { failed }: RefreshCursor<Position>,
  refresh: string,
): Promise<TakenPages | null> {
  const { tenant } = runtime.tenant;
  for (const mirror of kinds) {
    const { kind, externalId, active } = mirror;
    const kept = keptOf(kind, failed);
    if (kept.all) continue;
    const { left, again, neverTaken } = await deps.ledger.leaveUnseen(tenant, refresh, {
      object: kind,
      fieldsOf: (id) => ({ [externalId]: id, [active]: false }),
      kept: kept.masters,
      limit: MOST_LEAVING,
      at: deps.now(),
    });
    if (left.length + again.length === 0) continue;
    await announceVanished({ name, deps, runtime }, refresh, kind, left);
    const outcomes = { taken: neverTaken, refused: [] };
    await deps.ledger.settleRows(tenant, feedOf(name, mirror), outcomes, deps.now());
    return { found: left.length + again.length, more: true };
  }
  return null;
}

async function finish<Position extends object>(
  { name, deps, runtime }: Reading,
  { ended }: CatalogSource<Position>,
  cursor: RefreshCursor<Position>,
): Promise<TakenPages> {
  const at = deps.now();
  const done: RefreshCursor<Position> = { ...cursor, refresh: null, position: null, doneAt: at };
  await deps.ledger.saveCursor(runtime.tenant.tenant, name, done, at);
  await ended?.();
  return { found: 0, more: false };
}
