import { log } from '@temporalio/activity';
import type { StreamStop } from '../../src/domain/streams/stream-stop.ts';
import { cursorOf, type RowOf, type StreamName, type StreamRow } from '../../src/domain/streams/streams.ts';
import type { CursorMove } from '../../src/ledger/streams/stream-ledger.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';

/**
 * One tenant's stream (a regular read of changed rows): its row in `STREAMS`, the table of all streams, and what the code needs to read it.
 */
export type StreamOf<Row extends StreamRow> = {
  /** The stream's name. Its cursors' names begin with it. */
  readonly name: string;
  readonly row: Row;
  readonly deps: ActivityDeps;
  readonly runtime: TenantRuntime;
};

/** A source of changes (a stream or a part of a stream), read page by page, with its own cursor in the ledger (Lockstep's database). */
export type ChangeStream<Cursor extends object, Item> = {
  /** The CRM object to read, if the stream reads several objects one after another. Absent if the stream reads only one. */
  readonly part?: string;
  /** Makes the first cursor of a stream that was never read. `now`: the present instant, ISO. */
  readonly first: (now: string) => Cursor;
  readonly readPage: (cursor: Cursor) => Promise<ChangePage<Cursor, Item>>;
  /** Called with the stored cursor before any page is read, so that the first reads of several CRM objects can share a request. */
  readonly goesOn?: (cursor: Cursor) => void;
};

export type ChangePage<Cursor, Item> = Pick<CursorMove, 'seen'> & {
  readonly items: readonly Item[];
  /** Ids from the remote that Lockstep cannot store, because they are empty, too long or contain characters that no id has. */
  readonly unusable?: readonly string[];
  readonly cursor: Cursor;
  /** Whether further pages must be read before the stream has caught up with the present. */
  readonly more: boolean;
};

export type Move = CursorMove & { readonly position: object };

/** Receives the pages of a stream. Each read of the stream uses a new sink. */
export interface Sink<Item> {
  /**
   * Finishes work that an interrupted earlier read left over. Resolves to false if work is still left; this read then reads no pages.
   * `positions`: the stored cursors.
   */
  begin(positions: readonly object[]): Promise<boolean>;
  /**
   * Accepts a page and moves the cursor, in one transaction. If a sink needs several transactions, it must be able to accept a page twice
   * without harm.
   */
  take(items: readonly Item[], move: Move): Promise<void>;
  finish(): Promise<Taken>;
  /** Called instead of `finish` if a page cannot be read. Stores results of earlier pages that are not stored yet. */
  breakOff?(): Promise<void>;
}

export type Taken = {
  /** How many distinct changes were found. */
  readonly found: number;
  /** How many rows the CRM refused. Absent if the stream writes no rows. */
  readonly refused?: number;
  /** How many new rows have no usable id, so that they wait for a person. Absent if there are none. */
  readonly parked?: number;
  /**
   * True if accepted pages need further work, such as reads of the details of found orders. The next read of the stream must do this work.
   */
  readonly isUnfinished?: true;
  /** Why the stream is stopped: the object, field or permission that the org lacks. Absent if the stream is not stopped. */
  readonly stopped?: Omit<StreamStop, 'since'>;
};

export type TakenPages = Omit<Taken, 'isUnfinished'> & {
  readonly more: boolean;
  /**
   * Milliseconds until the stream must be read again, even if its usual polling interval is longer. Absent if the usual interval is short
   * enough.
   */
  readonly againMs?: number;
  /** The time since which an operator has paused the stream, ISO; nothing was read. Absent if the stream is not paused. */
  readonly pausedSince?: string;
};

export async function readStored(
  { ledger }: Pick<ActivityDeps, 'ledger'>,
  tenant: string,
  { cursors, read }: StreamReader,
  pages: number,
): Promise<TakenPages> {
  return read(pages, await ledger.cursors(tenant, cursors));
}

/** Creates the reader of one stream for one tenant. */
export type StreamSource<Stream extends StreamName> = (stream: StreamOf<RowOf<Stream>>) => StreamReader;
/**
 * Reads one stream (a regular read of changed rows). The caller loads the stream's cursors from the ledger (Lockstep's database) and passes
 * them to `read`.
 */
export type StreamReader = {
  /** Names of the cursors that the caller must load from the ledger (Lockstep's database). */
  readonly cursors: readonly string[];
  /**
   * Reads the parts of a stream (such as several CRM objects) in order, until `pages` pages are read. `stored`: the value of each cursor in
   * `cursors`; null if it was never stored.
   */
  readonly read: (pages: number, stored: readonly (unknown | null)[]) => Promise<TakenPages>;
};

/**
 * Makes the reader of a stream. The reader reads the parts of the stream (for example, one part for each CRM object) one after another, and
 * passes their pages to `sink`.
 */
export function readInto<Cursor extends object, Item>(
  of: Reading,
  parts: readonly ChangeStream<Cursor, Item>[],
  sink: Sink<Item>,
): StreamReader {
  const streams = parts.map((part) => ({ ...part, name: cursorOf(of.name, part.part) }));
  const read: StreamReader['read'] = async (pages, stored) => {
    const positions = stored.filter((position) => position !== null) as readonly object[];
    if (!(await sink.begin(positions))) return { found: 0, more: true };
    for (const [place, { goesOn }] of streams.entries()) if (stored[place] !== null) goesOn?.(stored[place] as Cursor);
    const { more, parked } = await readParts(of, streams, { stored, pages, sink }).catch(async (error: unknown) => {
      await sink.breakOff?.().catch(() => undefined);
      throw error;
    });
    if (parked > 0) log.warn('rows without a usable id are parked', { count: parked });
    const { isUnfinished = false, ...taken } = await sink.finish();
    return { ...taken, ...(parked > 0 ? { parked } : {}), more: more || isUnfinished };
  };
  return { cursors: streams.map(({ name }) => name), read };
}

type Parts<Item> = {
  readonly stored: readonly (unknown | null)[];
  readonly pages: number;
  readonly sink: Sink<Item>;
};

/** Reads the parts of a stream (for example, one part for each CRM object) in order, until `pages` pages are read. */
async function readParts<Cursor extends object, Item>(
  { deps, runtime }: Reading,
  streams: readonly Named<Cursor, Item>[],
  { stored, pages, sink }: Parts<Item>,
): Promise<{ readonly more: boolean; readonly parked: number }> {
  const { tenant } = runtime.tenant;
  let left = pages;
  let parked = 0;
  for (const [place, stream] of streams.entries()) {
    const start = (stored[place] as Cursor | null) ?? (await begun(deps, tenant, stream));
    const park = (ids: readonly string[]) => deps.ledger.parkRows(tenant, stream.name, ids, deps.now());
    const read = await readStream(stream, start, left, sink, park);
    left -= read.pages;
    parked += read.parked;
    if (read.more) return { more: true, parked };
  }
  return { more: false, parked };
}

/** The stream's name, dependencies and tenant: the part of `StreamOf` that does not depend on the kind of stream. */
export type Reading = Pick<StreamOf<StreamRow>, 'name' | 'deps' | 'runtime'>;
type Named<Cursor extends object, Item> = ChangeStream<Cursor, Item> & { readonly name: string };

/**
 * Creates and stores the first cursor of a part of a stream (such as one CRM object) that was never read. It is stored at once, so that
 * monitoring shows how long the part stays unread.
 */
async function begun<Cursor extends object>(
  { ledger, now }: ActivityDeps,
  tenant: string,
  { name, first }: Named<Cursor, unknown>,
): Promise<Cursor> {
  const cursor = first(now());
  await ledger.saveCursor(tenant, name, cursor, now());
  return cursor;
}

async function readStream<Cursor extends object, Item>(
  { name, readPage }: Named<Cursor, Item>,
  start: Cursor,
  mostPages: number,
  sink: Sink<Item>,
  park: (ids: readonly string[]) => Promise<number>,
): Promise<{ readonly pages: number; readonly more: boolean; readonly parked: number }> {
  let parked = 0;
  let at = { cursor: start, more: true };
  let pages = 0;
  do {
    const page = await readPage(at.cursor);
    const { items, cursor, seen, unusable = [] } = page;
    if (unusable.length > 0) parked += await park(unusable);
    await sink.take(items, { stream: name, position: cursor, ...(seen === undefined ? {} : { seen }) });
    at = page;
    pages += 1;
  } while (at.more && pages < mostPages);
  return { pages, more: at.more, parked };
}
