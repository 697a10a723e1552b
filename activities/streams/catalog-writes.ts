import { cancellationSignal } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import { fingerprint } from '../../src/domain/values/fingerprint.ts';
import type { WorkFound } from '../../src/ledger/mirror/mirror-ledger.ts';
import type { CatalogMirror } from '../../src/mirror/catalog/catalog-mirror.ts';
import { STANDARD_BOOK } from '../../src/mirror/catalog/price-rows.ts';
import { LEFT } from '../../src/mirror/difference.ts';
import type { CrmError } from '../../src/salesforce/errors.ts';
import { AMBIGUOUS, type Answer, adoptRows } from './adopt-rows.ts';
import { MOST_RETRIED, type RowFeed, settleAnswers } from './crm-rows.ts';
import { fenced } from './fenced-write.ts';
import type { Reading, TakenPages } from './stream.ts';

/** The number of rows in one CRM request. */
const BATCH = 200;

/** Writes one batch of catalog rows to the CRM; null if there was nothing to write. */
type Step = () => Promise<TakenPages | null>;
/**
 * Writes one batch of catalog rows to the CRM; null if there was nothing to write. `refresh`: the start (ISO) of the running refresh (a
 * complete reading of the catalog). Null between refreshes, when a step only writes rows that still wait.
 */
type StepOf = (refresh: string | null) => Promise<TakenPages | null>;

export type CatalogWrites = {
  /** Reads from the ledger (Lockstep's database) which work is due: retries of rows that the CRM refused, or writes of changed rows. */
  readonly work: () => Promise<WorkFound>;
  /** Retries rows that the CRM refused earlier, if their retry is due. */
  readonly again: Step;
  /** Writes catalog rows of one kind (such as prices) if enough of them wait to fill a request. */
  readonly full: StepOf;
  /** Writes catalog rows of one kind (such as prices), however few wait. A row is written after the rows that it refers to. */
  readonly rest: StepOf;
};

/**
 * Catalog rows of one kind (such as prices) to write to the CRM. The ledger (Lockstep's database) stores the rows that the CRM refused
 * under the feed's `name`.
 */
type Feed = RowFeed & { readonly into: CatalogMirror };
type Given = { readonly fields: CrmFields; readonly isTaken: boolean };
type Form = 'whole' | 'again';

/**
 * Creates the steps that write the catalog's rows to the CRM, in the order of `kinds`. A step writes one batch and may be repeated. Rows
 * that the CRM refuses are stored, and retried later at growing intervals.
 */
export function catalogWrites(stream: Reading, kinds: readonly CatalogMirror[]): CatalogWrites {
  const { deps, runtime } = stream;
  const feeds = kinds.map((into): Feed => ({ name: feedOf(stream.name, into), into, deps, runtime }));
  const of = {
    stream: stream.name,
    feeds: feeds.map(({ name }) => name),
    objects: kinds.map(({ kind }) => kind),
  };
  return {
    work: () => deps.ledger.mirrorWork(runtime.tenant.tenant, of, deps.now()),
    again: () => firstOf(feeds, writeAgain),
    full: (refresh) => goOn(stream, feeds, `full ${refresh}`, (feed) => writeBatch(feed, BATCH)),
    rest: (refresh) => goOn(stream, feeds, `rest ${refresh}`, (feed) => writeBatch(feed, 1)),
  };
}

/** The name under which the ledger (Lockstep's database) stores the catalog rows of one kind that the CRM refused. */
export function feedOf(stream: string, { kind }: Pick<CatalogMirror, 'kind'>): string {
  return cursorOf(stream, kind);
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

/** The position at which writing stopped: the phase of the work, and the kind of row that was written last. */
type Reached = { readonly phase: string; readonly kind: string };

/**
 * Calls `step` for one kind of catalog row after another, until one call has written a batch, because one activity writes only one batch.
 * Begins with the kind that was written last, because the kinds before it have probably nothing to write. Null if no call has written
 * anything.
 */
async function goOn(
  { name, deps, runtime }: Reading,
  feeds: readonly Feed[],
  phase: string,
  step: (feed: Feed) => Promise<TakenPages | null>,
): Promise<TakenPages | null> {
  const { tenant } = runtime.tenant;
  const place = `reached ${name}`;
  const reached = (await deps.ledger.cursor(tenant, place)) as Reached | null;
  const last = reached?.phase === phase ? feeds.findIndex(({ into }) => into.kind === reached.kind) : 0;
  const start = Math.max(0, last);
  return firstOf([...feeds.slice(start), ...feeds.slice(0, start)], async (feed) => {
    const pages = await step(feed);
    const { kind } = feed.into;
    if (pages !== null && (reached?.phase !== phase || reached.kind !== kind))
      await deps.ledger.saveCursor(tenant, place, { phase, kind } satisfies Reached, deps.now());
    return pages;
  });
}

async function writeAgain(feed: Feed): Promise<TakenPages | null> {
  const { ledger, now } = feed.deps;
  const { tenant } = feed.runtime.tenant;
  const refused = await ledger.refusedRows(tenant, feed.name, now(), MOST_RETRIED);
  if (refused.length === 0) return null;
  const rows = refused.map((fields) => ({ fields, isTaken: false }));
  const { left } = await write(feed, rows, 'again');
  // Rows that have changed meanwhile are written in their new state.
  const outgrown = rows.map((row) => idOf(feed.into, row)).filter((id) => !left.has(id));
  await ledger.settleRows(tenant, feed.name, { taken: outgrown, refused: [] }, now());
  return { found: 0, more: true };
}

async function writeBatch(feed: Feed, least: number): Promise<TakenPages | null> {
  const { into, deps, runtime } = feed;
  const ready = await deps.ledger.readyRows(runtime.tenant.tenant, into.kind, least, BATCH);
  if (ready.length === 0) return null;
  const { refused } = await write(feed, ready, 'first');
  return { found: 0, refused, more: true };
}

/**
 * Writes those of the given rows whose values still match the ledger (Lockstep's database), and stores the results. `left`: ids of the rows
 * that were sent to the CRM. `refused`: how many rows the CRM refused.
 */
async function write(
  feed: Feed,
  rows: readonly Given[],
  time: 'first' | 'again',
): Promise<{ readonly left: ReadonlySet<string>; readonly refused: number }> {
  const { into } = feed;
  let refused = 0;
  const leaving = rows.map((row) => ({
    id: idOf(into, row),
    fingerprint: stateOf(into, row),
    linkedTo: null,
  }));
  const left = await fenced({ ...feed, into: { ...into, object: into.kind } }, leaving, {
    send: async (ids) => {
      const sent = rows.filter((row) => ids.has(idOf(into, row)));
      return { sent, answers: await give(feed, sent) };
    },
    settle: async ({ sent, answers }) => {
      const errors = answers.map((answer) => (answer === AMBIGUOUS ? null : answer));
      const pages = await settleAnswers(
        feed,
        sent.map(({ fields }) => fields),
        errors,
        time,
      );
      refused = pages.refused.length;
      const isRefused = new Set(pages.refused);
      return sent.map((row, place) => ({
        id: idOf(into, row),
        fingerprint: stateOf(into, row),
        isTaken: !isRefused.has(idOf(into, row)) && answers[place] !== AMBIGUOUS,
      }));
    },
  });
  return { left, refused };
}

function idOf({ externalId }: CatalogMirror, { fields }: Given): string {
  return String(fields[externalId]);
}

function stateOf(into: CatalogMirror, row: Given): string {
  return hasLeft(into, row) ? LEFT : fingerprint(row.fields);
}

/**
 * Writes rows and returns the CRM's answers. A new row gets all fields; an existing row is updated without the fields that must not change.
 * If the CRM's error shows that a new row exists already, the row is written again as an existing one; if an existing row is missing, it is
 * written again as a new one.
 */
async function give(feed: Feed, rows: readonly Given[]): Promise<readonly Answer[]> {
  const { into } = feed;
  const placed = rows.map((row, place) => ({ ...row, place }));
  const unknown = placed.filter((row) => !row.isTaken && !hasLeft(into, row));
  const last = new Map(await adoptRows(feed.runtime, into, unknown));
  const others = placed.filter(({ place }) => !last.has(place));
  const forms = others.map(({ isTaken }): Form => (isTaken ? 'again' : 'whole'));
  const first = await upsert(feed, others, forms);
  for (const [nth, { place }] of others.entries()) last.set(place, first[nth] ?? null);
  const wrong = others.flatMap((row, nth) => {
    const form = otherForm(into, row, forms[nth] ?? 'whole', first[nth] ?? null);
    return form === null ? [] : [{ row, form }];
  });
  const second = await upsert(
    feed,
    wrong.map(({ row }) => row),
    wrong.map(({ form }) => form),
  );
  for (const [nth, { row }] of wrong.entries()) last.set(row.place, second[nth] ?? null);
  return placed.map((row) => {
    const answer = last.get(row.place) ?? null;
    if (answer === null || answer === AMBIGUOUS) return answer;
    if (into.leftToOrg?.includes(answer.code) === true) return null;
    return hasLeft(into, row) && answer.code === 'REQUIRED_FIELD_MISSING' ? null : answer;
  });
}

function otherForm(into: CatalogMirror, row: Given, form: Form, error: CrmError | null): Form | null {
  if (into.fixed === undefined || error === null || hasLeft(into, row)) return null;
  if (form === 'whole' && error.code === 'INVALID_FIELD_FOR_INSERT_UPDATE') return 'again';
  return form === 'again' && error.code === 'REQUIRED_FIELD_MISSING' ? 'whole' : null;
}

/** Whether the vendor does not list the row any more, so that the write only deactivates it in the CRM. */
function hasLeft({ active }: CatalogMirror, { fields }: Given): boolean {
  return fields[active] === false && Object.keys(fields).length === 2;
}

async function upsert(
  feed: Feed,
  rows: readonly Given[],
  forms: readonly Form[],
): Promise<readonly (CrmError | null)[]> {
  if (rows.length === 0) return [];
  const { into, runtime } = feed;
  const signal = cancellationSignal();
  const isPriced = into.fixed?.includes('Pricebook2Id') === true;
  const books = isPriced ? await runtime.crm.priceBooks({ signal }) : null;
  const written = rows.map(({ fields }, place) => {
    const { Pricebook2Id: book, CurrencyIsoCode: currency, ...rest } = fields;
    const whole = {
      ...rest,
      ...(book === undefined ? {} : { Pricebook2Id: book === STANDARD_BOOK ? books?.standardBookId : book }),
      ...(currency === undefined || books?.currencies === null ? {} : { CurrencyIsoCode: currency }),
    } as CrmFields;
    return forms[place] === 'whole' ? whole : without(whole, into.fixed ?? []);
  });
  const references = into.references ?? [];
  return runtime.crm.upsertRows(into.object, into.externalId, written, { signal, references });
}

function without(fields: CrmFields, names: readonly string[]): CrmFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
