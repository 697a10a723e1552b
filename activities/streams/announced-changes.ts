import {
  ANNOUNCED_KINDS,
  afterAnnouncing,
  announcedChange,
  type CatalogWatch,
  currencyChanges,
  MOST_NAMED,
  NOTHING_ANNOUNCED,
} from '../../src/domain/streams/announced-changes.ts';
import type { CatalogKind } from '../../src/domain/streams/catalog-refresh.ts';
import { seenOf } from '../../src/domain/streams/catalog-refresh.ts';
import type { CatalogRow } from '../../src/mirror/catalog/catalog-mirror.ts';
import type { Reading } from './stream.ts';

type Shown = { readonly ended: readonly CatalogKind[]; readonly rows: readonly CatalogRow[] };

/**
 * Stores, for operators, how the vendor's catalog differs from the last refresh (complete reading). Compares only kinds of rows, such as
 * prices, that were read completely. The first refresh of a catalog announces nothing. May be repeated.
 */
export async function announceShown(
  stream: Reading,
  { refresh, doneAt }: { readonly refresh: string; readonly doneAt: string | null },
  { ended, rows }: Shown,
): Promise<void> {
  const announced = ended.filter((kind) => ANNOUNCED_KINDS.includes(kind));
  if (announced.length === 0) return;
  const { deps, runtime } = stream;
  const changes =
    doneAt === null ? [] : await deps.ledger.catalogChanges(runtime.tenant.tenant, refresh, announced, MOST_NAMED);
  const whats = changes.map(({ object, ...change }) => announcedChange({ kind: object as CatalogKind, ...change }));
  // A single page contains all price lists.
  const currencies = announced.includes('price-list') ? currenciesIn(rows) : null;
  await tell(stream, refresh, whats, currencies);
}

/** Stores, for operators, that catalog rows of one kind have disappeared. */
export async function announceVanished(
  stream: Reading,
  refresh: string,
  kind: CatalogKind,
  ids: readonly string[],
): Promise<void> {
  if (!ANNOUNCED_KINDS.includes(kind) || ids.length === 0) return;
  const what = announcedChange({ kind, change: 'vanished', rows: ids.length, ids });
  await tell(stream, refresh, [what], null);
}

function currenciesIn(rows: readonly CatalogRow[]): readonly string[] {
  const codes = rows.flatMap(({ kind, fields }) => (kind === 'price-list' ? [fields['Vendor_Currency__c']] : []));
  return [...new Set(codes.filter((code) => typeof code === 'string'))].sort();
}

async function tell(
  { name, deps, runtime }: Reading,
  refresh: string,
  whats: readonly string[],
  currencies: readonly string[] | null,
): Promise<void> {
  const { tenant } = runtime.tenant;
  const before = ((await deps.ledger.cursor(tenant, seenOf(name))) as CatalogWatch | null) ?? NOTHING_ANNOUNCED;
  const more = currencies === null ? [] : currencyChanges(before.currencies, currencies);
  const after = afterAnnouncing(before, [...whats, ...more], refresh);
  await deps.ledger.saveCursor(
    tenant,
    seenOf(name),
    { ...after, currencies: currencies ?? before.currencies },
    deps.now(),
  );
}
