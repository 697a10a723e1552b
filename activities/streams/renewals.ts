import { cancellationSignal } from '@temporalio/activity';
import { dayOf, type RefreshCursor } from '../../src/domain/streams/catalog-refresh.ts';
import { earlier } from '../../src/domain/streams/look-back.ts';
import { followDeals } from './renewal-deals.ts';
import { NOTICE_FIELDS, noticeOf } from './renewal-notices.ts';
import { futureLists, writeEffects } from './renewal-prices.ts';
import type { Reading, StreamSource, TakenPages } from './stream.ts';

const PAGE_ROWS = 200;
/** For how many days after their begin renewals are still followed, so that their opportunities show how the renewals ended. */
const FOLLOWED_DAYS = 60;
const DAY_MS = 86_400_000;
/** How far before its last run a pass over changed notices begins, in ms, because a transaction may have committed late. */
const OVERLAP_MS = 600_000;

/**
 * The stream's progress. A whole pass is due on each new day, after each refresh of the catalog, after a change of the setting, and after a
 * refusal. Other passes read only changed notices.
 */
type RenewalsCursor = {
  /** The day of the last whole pass; empty to make the next pass whole. */
  readonly day: string;
  /** When the catalog refresh ended whose prices the last whole pass used, ISO; null if there was none. */
  readonly catalogAt: string | null;
  /** The setting `orders.renewalOpportunities.daysBefore` of the last whole pass; null if no opportunities were created. */
  readonly daysBefore: number | null;
  /** Whether renewal notifications in the CRM may show an effect of future prices. */
  readonly hasEffects: boolean;
  /** The id of the last renewal notification that a whole pass under way has read; null between passes. */
  readonly after: string | null;
  /** When the last pass began, ISO. */
  readonly since: string;
};

/**
 * Follows mirrored renewal notifications: writes how future price lists change their prices and, if the tenant file asks for it, creates
 * and updates their opportunities. Each page may be repeated, and writes only differences.
 */
export const renewals: StreamSource<'followRenewals'> = (stream) => ({
  cursors: [stream.name, 'refreshCatalog'],
  read: async (pages, [stored, catalog]) => {
    const { deps, runtime } = stream;
    const now = deps.now();
    const today = dayOf(now, runtime.tenant.mapping.zone);
    const lists = await futureLists(stream, today);
    const daysBefore = runtime.tenant.orders.renewalOpportunities?.daysBefore ?? null;
    const isWanted = daysBefore !== null;
    const known = stored as RenewalsCursor | null;
    const catalogAt = (catalog as RefreshCursor | null)?.doneAt ?? null;
    const isWhole =
      known === null ||
      known.after !== null ||
      known.day !== today ||
      known.catalogAt !== catalogAt ||
      known.daysBefore !== daysBefore;
    const hasEffects = lists.length > 0 || (known?.hasEffects ?? true);
    const next = { day: today, catalogAt, daysBefore, hasEffects, after: null, since: now } satisfies RenewalsCursor;
    const save = (cursor: RenewalsCursor) => deps.ledger.saveCursor(runtime.tenant.tenant, stream.name, cursor, now);
    if (!isWanted && !hasEffects) {
      await save(next);
      return { found: 0, more: false };
    }
    const from = {
      after: isWhole ? (known?.after ?? null) : null,
      since: isWhole ? null : earlier(known.since, OVERLAP_MS),
    };
    const pass = await readPass(stream, { ...from, pages, today, work: { lists, isWanted, today } });
    await save({
      ...next,
      day: pass.refused > 0 ? '' : today,
      after: pass.after,
      // A whole pass without future lists has emptied every effect.
      hasEffects: lists.length > 0 || (hasEffects && !(isWhole && pass.after === null)),
      // A pass over too many changed notices continues as a whole pass.
      since: pass.after === null || known === null ? now : known.since,
    });
    return { found: pass.changed, refused: pass.refused, more: pass.after !== null };
  },
});

type Work = {
  readonly lists: Awaited<ReturnType<typeof futureLists>>;
  readonly isWanted: boolean;
  readonly today: string;
};
type Pass = {
  readonly after: string | null;
  readonly since: string | null;
  readonly pages: number;
  readonly today: string;
  readonly work: Work;
};

/** Reads pages of renewal notifications. `after`: where the next step continues; null if everything was read. */
async function readPass(
  stream: Reading,
  { after: start, since, pages, today, work }: Pass,
): Promise<{ readonly after: string | null; readonly changed: number; readonly refused: number }> {
  const fromDay = new Date(Date.parse(today) - FOLLOWED_DAYS * DAY_MS).toISOString().slice(0, 10);
  let [after, changed, refused] = [start, 0, 0];
  for (let page = 0; page < pages; page += 1) {
    const of = { fromDay, since, after, limit: PAGE_ROWS };
    const rows = await stream.runtime.crm.renewalNotices(NOTICE_FIELDS, of, { signal: cancellationSignal() });
    const notices = rows.flatMap(noticeOf);
    const done = [
      await writeEffects(stream, notices, work.lists),
      work.isWanted ? await followDeals(stream, notices, work.today) : NOTHING,
    ];
    for (const { found, refused: not = 0 } of done) [changed, refused] = [changed + found, refused + not];
    if (rows.length < PAGE_ROWS) return { after: null, changed, refused };
    after = String(rows.at(-1)?.['Id']);
  }
  return { after, changed, refused };
}

const NOTHING: Pick<TakenPages, 'found' | 'refused'> = { found: 0 };
