import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { earlier } from '../../src/domain/streams/look-back.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import type { LeavingRow, PendingRow, SettledRow, WorkFound } from '../../src/ledger/mirror/mirror-ledger.ts';
import { stateOf } from '../../src/mirror/difference.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { OPPORTUNITY } from '../../src/mirror/orders/order-links.ts';
import type { CrmError } from '../../src/salesforce/errors.ts';
import { isForGood, MOST_RETRIED, type RowFeed, settleAnswers } from './crm-rows.ts';
import { fenced } from './fenced-write.ts';
import { withLinks } from './row-links.ts';
import type { Reading, TakenPages } from './stream.ts';

/** The number of rows in one CRM request. */
const BATCH = 200;
/**
 * Each search for rows whose opportunity has changed or become known also covers this much time, in ms, before the previous search began. A
 * transaction may be committed late, with an earlier timestamp.
 */
const OVERLAP_MS = 600_000;
const EPOCH = new Date(0).toISOString();

/**
 * The maximum number of rows in doubt (the CRM may show other values than Lockstep wrote) that one step marks for a new read from the
 * vendor.
 */
const MOST_IN_DOUBT = 200;

/** Writes one batch of mirrored rows (rows copied from the vendor) to the CRM; null if there was nothing to write. */
type Step = () => Promise<TakenPages | null>;

export type MirrorWrites = {
  /**
   * Reads from the ledger (Lockstep's database) which kinds of writes are due. `isLoadPaused`: leaves out orders that only the first load
   * of old orders has found.
   */
  readonly work: (isLoadPaused?: boolean) => Promise<WorkFound>;
  /** Marks rows in doubt for a new read from the vendor, because the CRM may show other values than Lockstep wrote. */
  readonly renew: Step;
  /** Retries rows that the CRM refused earlier, if their retry is due. */
  readonly again: Step;
  /** Writes mirrored rows (rows copied from the vendor) of one CRM object if enough of them wait to fill a request. */
  readonly full: Step;
  /**
   * Writes rows of each object, however few wait. Master rows (orders) come first. A detail row (a line of an order) is written only if its
   * master row is written.
   */
  readonly rest: Step;
  /** Sets the lookup of rows whose opportunity has changed or become known after the rows were written. */
  readonly links: Step;
};

/**
 * Rows of one CRM object to write, or only their lookups. The ledger (Lockstep's database) stores the rows that the CRM refused under the
 * feed's `name`.
 */
type Feed = RowFeed & { readonly into: Mirror };

/**
 * Creates the steps that write mirrored rows (rows copied from the vendor) from the ledger (Lockstep's database) to the CRM, in batches.
 * Each step is repeatable. `mirrors`: first the object of the master rows, which may belong to an opportunity, then the objects of their
 * details. `everyMs`: how often the stream searches for changes, in ms.
 */
export function mirrorWrites(stream: Reading, mirrors: readonly [Mirror, ...Mirror[]], everyMs: number): MirrorWrites {
  const { deps, runtime } = stream;
  const [first, ...others] = mirrors;
  const feedOf = (into: Mirror, part?: string): Feed => ({
    ...{ name: cursorOf(stream.name, part), into, deps, runtime },
  });
  const rows = [feedOf(first), ...others.map((mirror) => feedOf(mirror, mirror.object))];
  const links = feedOf(first, OPPORTUNITY);
  const of = {
    stream: stream.name,
    everyMs,
    feeds: [...rows, links].map(({ name }) => name),
    objects: mirrors.map(({ object }) => object),
  };
  return {
    work: (isLoadPaused = false) => deps.ledger.mirrorWork(runtime.tenant.tenant, { ...of, isLoadPaused }, deps.now()),
    renew: () => renewInDoubt(stream, mirrors),
    again: () => firstOf([...rows, links], (feed) => writeAgain(feed, links)),
    full: () => firstOf(rows, (feed) => writeBatch(feed, links, BATCH)),
    rest: () => eachOf(rows, (feed) => writeBatch(feed, links, 1)),
    links: () => writeLinks(links),
  };
}

async function eachOf(
  feeds: readonly Feed[],
  step: (feed: Feed) => Promise<TakenPages | null>,
): Promise<TakenPages | null> {
  const pages: TakenPages[] = [];
  for (const feed of feeds) pages.push(...[(await step(feed)) ?? []].flat());
  if (pages.length === 0) return null;
  return { found: 0, refused: pages.reduce((sum, { refused = 0 }) => sum + refused, 0), more: true };
}

async function firstOf(
  feeds: readonly Feed[],
  step: (feed: Feed) => Promise<TakenPages | null>,
): Promise<TakenPages | null> {
  for (const feed of feeds) {
    const pages = await step(feed);
    if (pages !== null) return pages;
  }
  return null;
}

async function renewInDoubt({ name, deps, runtime }: Reading, mirrors: readonly Mirror[]): Promise<TakenPages | null> {
  const of = { stream: name, objects: mirrors.map(({ object }) => object) };
  const renewed = await deps.ledger.renewInDoubt(runtime.tenant.tenant, of, deps.now(), MOST_IN_DOUBT);
  return renewed === 0 ? null : { found: 0, more: true };
}

async function writeAgain(feed: Feed, links: Feed): Promise<TakenPages | null> {
  const { ledger, now } = feed.deps;
  const rows = await ledger.refusedRows(feed.runtime.tenant.tenant, feed.name, now(), MOST_RETRIED);
  if (rows.length === 0) return null;
  await write(feed, links, await withLinks(feed.runtime, feed.into, rows), 'again');
  return { found: 0, more: true };
}

async function writeBatch(feed: Feed, links: Feed, least: number): Promise<TakenPages | null> {
  const { into, deps, runtime } = feed;
  const of = { object: into.object, masterObject: into.master?.object ?? null };
  const pending = await deps.ledger.pendingRows(runtime.tenant.tenant, of, least, BATCH);
  if (pending.length === 0) return null;
  const rows = await withLinks(runtime, into, pending.map(shown));
  const refused = await write(feed, links, rows, 'first');
  return { found: 0, refused, more: true };
}

/** The fields to write for a mirrored row. Includes the lookup to its opportunity, unless the row never belonged to an opportunity. */
function shown({ fields, opportunityId }: PendingRow): CrmFields {
  return opportunityId === undefined ? fields : { ...fields, [OPPORTUNITY]: opportunityId };
}

/**
 * Rows sent to the CRM, with its answers. `unlinked`: rows that were sent a second time without lookups, because the CRM refused their
 * opportunity.
 */
type Sent = {
  readonly rows: readonly CrmFields[];
  readonly answers: readonly (CrmError | null)[];
  readonly unlinked: {
    readonly answers: readonly (CrmError | null)[];
    readonly links: readonly RefusedLink[];
  };
};

/**
 * Writes those of the given rows whose values and lookup still match the ledger (Lockstep's database), and stores the results. Returns the
 * number of rows that the CRM refused, plus the number of rows that it accepted only without their lookup. `time`: `again` for a retry of
 * rows that the CRM refused, otherwise `first`. Only a `first` write throws if the CRM refuses all rows because of the org, such as a
 * missing permission. Only a retry handles rows that have changed since the refusal.
 */
async function write(feed: Feed, links: Feed, rows: readonly CrmFields[], time: 'first' | 'again'): Promise<number> {
  const idOf = (row: CrmFields): string => String(row[feed.into.externalId]);
  let refused = 0;
  const left = await fenced<Sent>(
    feed,
    rows.map((row) => leavingRow(feed, row)),
    {
      send: async (ids) => {
        const sent = rows.filter((row) => ids.has(idOf(row)));
        const answers = await upsert(feed, sent);
        return { rows: sent, answers, unlinked: await withoutRefusedLinks(feed, sent, answers) };
      },
      settle: async (sent) => {
        const settled = await settleSent(feed, links, sent, time);
        refused = sent.unlinked.links.length + settled.filter(({ isTaken }) => !isTaken).length;
        return settled;
      },
    },
  );
  if (time === 'again')
    await outgrown(
      feed,
      rows.map(idOf).filter((id) => !left.has(id)),
    );
  return refused;
}

/**
 * Handles rows that changed again while the refused write of their old values waited for its retry. Marks the rows in doubt (the CRM may
 * show other values than Lockstep wrote), so that their new values are written, and deletes the stored refusals.
 */
async function outgrown({ name, into, deps, runtime }: Feed, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { tenant } = runtime.tenant;
  await deps.ledger.markInDoubt(tenant, into.object, { ids, details: false }, deps.now());
  await deps.ledger.settleRows(tenant, name, { taken: ids, refused: [] }, deps.now());
}

/** Returns a row without its lookups, because each write finds the referenced records again. */
function withoutLinks({ links = [] }: Mirror, row: CrmFields): CrmFields {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !links.includes(field)));
}

/**
 * Whether a write of a row sets only its lookups. `fields`: the row without its lookups. The result is true if only the external id is left
 * in it.
 */
function isLinkAlone(fields: CrmFields): boolean {
  return Object.keys(fields).length === 1;
}

function leavingRow({ into }: Feed, row: CrmFields): LeavingRow {
  const fields = withoutLinks(into, row);
  const link = row[OPPORTUNITY];
  return {
    id: String(row[into.externalId]),
    fingerprint: isLinkAlone(fields) ? null : stateOf(fields),
    linkedTo: typeof link === 'string' ? link : null,
  };
}

async function settleSent(
  feed: Feed,
  links: Feed,
  { rows, answers, unlinked }: Sent,
  time: 'first' | 'again',
): Promise<readonly SettledRow[]> {
  const { taken } = await settleAnswers(feed, rows, unlinked.answers, time);
  await settleLinks(
    links,
    rows.filter((row, place) => OPPORTUNITY in row && !answers[place]),
    unlinked.links,
  );
  const isTaken = new Set(taken);
  return rows.map((row): SettledRow => {
    const { id, fingerprint, linkedTo } = leavingRow(feed, row);
    return {
      id,
      isTaken: isTaken.has(id),
      ...(OPPORTUNITY in row ? { linkedTo } : {}),
      ...(fingerprint === null ? {} : { fingerprint }),
    };
  });
}

/**
 * Stores which new lookups the CRM accepted and which it refused. Deletes earlier refusals of these rows, because a retry would write an
 * old lookup over the new one.
 */
async function settleLinks(links: Feed, linked: readonly CrmFields[], refused: readonly RefusedLink[]): Promise<void> {
  const rows = [...linked, ...refused.map(({ row }) => row)];
  const errors = [...linked.map(() => null), ...refused.map(({ error }) => error)];
  if (rows.length > 0) await settleAnswers(links, rows, errors, 'again');
}

function upsert({ into, runtime }: Feed, rows: readonly CrmFields[]): Promise<readonly (CrmError | null)[]> {
  const { object, externalId, master } = into;
  const call = { signal: cancellationSignal(), ...(master === undefined ? {} : { master }) };
  return runtime.crm.upsertRows(object, externalId, rows, call);
}

type RefusedLink = { readonly row: CrmFields; readonly error: CrmError };

/**
 * Writes rows again without the lookups that the CRM refused, so that a deleted opportunity does not keep an order out of the CRM. Returns
 * the CRM's answers, and the refused lookups.
 */
async function withoutRefusedLinks(
  feed: Feed,
  rows: readonly CrmFields[],
  answers: readonly (CrmError | null)[],
): Promise<Sent['unlinked']> {
  const { externalId, links: lookups = [] } = feed.into;
  const refused = rows.flatMap((row, place) => {
    const error = answers[place];
    const rest = withoutLinks(feed.into, row);
    const isLinked = lookups.some((field) => typeof row[field] === 'string');
    // A write that sets only the lookup has no other fields to write again.
    return error && isForGood(error) && isLinked && !isLinkAlone(rest) ? [{ place, row, rest, error }] : [];
  });
  if (refused.length === 0) return { answers, links: [] };
  const again = await upsert(
    feed,
    refused.map(({ rest }) => rest),
  );
  const last = new Map(refused.map(({ place }, nth) => [place, again[nth] ?? null]));
  const links = refused.flatMap(({ row, error }, nth) => {
    const link = row[OPPORTUNITY];
    return again[nth] === null && typeof link === 'string'
      ? [{ row: { [externalId]: row[externalId] ?? null, [OPPORTUNITY]: link }, error }]
      : [];
  });
  return {
    answers: answers.map((answer, place) => (last.has(place) ? (last.get(place) ?? null) : answer)),
    links,
  };
}

/**
 * The cursor of the search for rows whose opportunity has changed or become known. `since`: when the last search began, ISO. The next
 * search begins `OVERLAP_MS` before this instant.
 */
type LinksCursor = { readonly since: string };

async function writeLinks(links: Feed): Promise<TakenPages | null> {
  const { name, into, deps, runtime } = links;
  const { tenant } = runtime.tenant;
  const at = deps.now();
  const cursor = (await deps.ledger.cursor(tenant, name)) as LinksCursor | null;
  const since = cursor === null ? EPOCH : earlier(cursor.since, OVERLAP_MS);
  const unlinked = await deps.ledger.unlinkedRows(tenant, into.object, since, BATCH);
  if (unlinked.length === 0) {
    await deps.ledger.saveCursor(tenant, name, { since: at } satisfies LinksCursor, at);
    return null;
  }
  const rows = unlinked.map(({ id, opportunityId }) => ({
    [into.externalId]: id,
    [OPPORTUNITY]: opportunityId,
  }));
  let refused = 0;
  await fenced(
    links,
    rows.map((row) => leavingRow(links, row)),
    {
      send: async (ids) => {
        const sent = rows.filter((row) => ids.has(String(row[into.externalId])));
        return { sent, answers: await upsert(links, sent) };
      },
      settle: async ({ sent, answers }) => {
        refused = (await settleAnswers(links, sent, answers, 'again')).refused.length;
        // A refused link is stored for a retry. It also counts as written here, so that the search does not find it again.
        return sent.map((row) => ({
          id: String(row[into.externalId]),
          linkedTo: String(row[OPPORTUNITY]),
          isTaken: true,
        }));
      },
    },
  );
  return { found: 0, refused, more: true };
}
