import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { dayOf, type RefreshCursor } from '../../src/domain/streams/catalog-refresh.ts';
import { earlier } from '../../src/domain/streams/look-back.ts';
import { NOTICE_FIELDS, noticeOf, type ShownNotice } from '../../src/mirror/orders/renewal-notices.ts';
import type { RenewalPage } from '../../src/salesforce/crm.ts';
import { followDeals } from './renewal-deals.ts';
import { futureLists, writeEffects } from './renewal-prices.ts';
import { dueRefusals, settleRefusals } from './renewal-refusals.ts';
import type { Reading, StreamSource } from './stream.ts';

const PAGE_ROWS = 200;
/** For how many days after its start date a renewal is still followed, so that its opportunity shows how the renewal ended. */
const FOLLOWED_DAYS = 60;
const DAY_MS = 86_400_000;
/**
 * Each search for changed renewal notices also covers this much time, in ms, before the previous search began. A transaction may be
 * committed late, with an earlier timestamp.
 */
const OVERLAP_MS = 600_000;

/**
 * The progress of the stream that follows renewal notices. A whole pass over all notices is due on each new day, after each refresh of the
 * catalog, and after a change of the setting `daysBefore`. Other passes read only changed notices, and notices that Salesforce refused and
 * whose retry is due.
 */
type RenewalsCursor = {
  /** The day of the last whole pass over the renewal notices. On a later day, another whole pass is due. */
  readonly day: string;
  /**
   * The end of the catalog refresh whose prices were used by the last whole pass over the renewal notices, ISO; null if there was no
   * refresh. After a later refresh, another whole pass is due.
   */
  readonly catalogAt: string | null;
  /**
   * The setting `orders.renewalOpportunities.daysBefore` at the last whole pass over the renewal notices; null if Lockstep creates no
   * opportunities for them. If the setting has changed since, another whole pass is due.
   */
  readonly daysBefore: number | null;
  /**
   * Whether renewal notices in the CRM possibly contain amounts by which future price lists change their prices. If so, the stream must
   * keep these amounts up to date. False after a whole pass without future price lists, because the pass has emptied these amounts.
   */
  readonly hasEffects: boolean;
  /** The id of the renewal notice that an unfinished whole pass has read last; null if no pass is unfinished. */
  readonly after: string | null;
  /** When the last pass over renewal notices began, ISO. The next search for changed notices begins a little before this instant. */
  readonly since: string;
};

/**
 * Follows renewal notices that Lockstep has copied into the CRM. Writes on each notice in the CRM how future price lists change its prices.
 * If the tenant file asks for it, also creates and updates the notices' opportunities. A page of notices may be processed again, because
 * only differences are written.
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
      await settleRefusals(stream, (await dueRefusals(stream)).map(asNotice), new Map());
      await save(next);
      return { found: 0, more: false };
    }
    const from = {
      after: isWhole ? (known?.after ?? null) : null,
      since: isWhole ? null : earlier(known.since, OVERLAP_MS),
    };
    const pass = await readPass(stream, { ...from, pages, today, work: { lists, today } });
    await save({
      ...next,
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
  readonly today: string;
};
type Pass = {
  readonly after: string | null;
  readonly since: string | null;
  readonly pages: number;
  readonly today: string;
  readonly work: Work;
};

type Counts = { readonly changed: number; readonly refused: number };

/**
 * Reads pages of renewal notices, and processes their changes. `after` in the result: the notice after which the next step continues; null
 * at the end.
 */
async function readPass(
  stream: Reading,
  { after: start, since, pages, today, work }: Pass,
): Promise<Counts & { readonly after: string | null }> {
  const fromDay = new Date(Date.parse(today) - FOLLOWED_DAYS * DAY_MS).toISOString().slice(0, 10);
  const isWhole = since === null;
  const retried = isWhole ? [] : await dueRefusals(stream);
  let { changed, refused } = await retry(stream, retried, fromDay, work);
  let after = start;
  for (let page = 0; page < pages; page += 1) {
    const rows = await noticesOf(stream, { fromDay, since, after, limit: PAGE_ROWS });
    const notices = rows.flatMap(noticeOf).filter(({ order }) => !retried.includes(order));
    const done = await follow(stream, notices, work);
    [changed, refused] = [changed + done.changed, refused + done.refused];
    if (rows.length < PAGE_ROWS) return { after: null, changed, refused };
    after = String(rows.at(-1)?.['Id']);
  }
  return { after, changed, refused };
}

const NOTHING: Counts = { changed: 0, refused: 0 };

/**
 * Retries renewal notices that Salesforce refused earlier. Deletes the stored refusals of notices that the stream does not follow any more.
 */
async function retry(stream: Reading, orders: readonly string[], fromDay: string, work: Work): Promise<Counts> {
  if (orders.length === 0) return NOTHING;
  const rows = await noticesOf(stream, { fromDay, since: null, after: null, limit: PAGE_ROWS, orders });
  const notices = rows.flatMap(noticeOf);
  const gone = orders.filter((order) => notices.every((notice) => notice.order !== order));
  await settleRefusals(stream, gone.map(asNotice), new Map());
  return follow(stream, notices, work);
}

function noticesOf({ runtime }: Reading, page: RenewalPage): Promise<readonly CrmFields[]> {
  return runtime.crm.renewalNotices(NOTICE_FIELDS, page, { signal: cancellationSignal() });
}

function asNotice(order: string): Pick<ShownNotice, 'order'> {
  return { order };
}

/**
 * Writes on the renewal notices of one page, in the CRM, how future price lists change their prices, and creates or updates the notices'
 * opportunities. Returns how many notices and opportunities changed (`changed`), and how many notices Salesforce refused (`refused`).
 * Stores the notices that Salesforce refused, so that they are retried.
 */
async function follow(stream: Reading, notices: readonly ShownNotice[], work: Work): Promise<Counts> {
  const prices = await writeEffects(stream, notices, work.lists);
  const deals = await followDeals(stream, notices, work.today);
  const refusals = new Map([...prices.refusals, ...deals.refusals]);
  await settleRefusals(stream, notices, refusals);
  return { changed: prices.found + deals.found, refused: refusals.size };
}
