import { log } from '@temporalio/activity';
import type { StreamStop } from '../../src/domain/streams/stream-stop.ts';
import { cursorOf, type RowOf, type StreamName, type StreamRow } from '../../src/domain/streams/streams.ts';
import type { CursorMove } from '../../src/ledger/streams/stream-ledger.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';

/** A tenant's stream, by its row: what its source is made of, so that nothing of it can be another stream's. */
export type StreamOf<Row extends StreamRow> = {
  /** The stream's name, which its cursors are kept under. */
  readonly name: string;
  readonly row: Row;
  readonly deps: ActivityDeps;
  readonly runtime: TenantRuntime;
};

/** One source of changes that is read page by page, with a cursor of its own in the ledger. */
export type ChangeStream<Cursor extends object, Item> = {
  /** Which of the objects that the stream reads; absent where it reads one. */
  readonly part?: string;
  /** Where reading begins when nothing was read before. `now` is ISO. */
  readonly first: (now: string) => Cursor;
  readonly readPage: (cursor: Cursor) => Promise<ChangePage<Cursor, Item>>;
  /** Told where it goes on, before any part of the stream is read: what several begin with may be asked for together. */
  readonly goesOn?: (cursor: Cursor) => void;
};

export type ChangePage<Cursor, Item> = Pick<CursorMove, 'seen'> & {
  readonly items: readonly Item[];
  /** What stands in the place of ids, and is none. */
  readonly unusable?: readonly string[];
  /** Where the next page begins. */
  readonly cursor: Cursor;
  /** The present is not reached yet. */
  readonly more: boolean;
};

/** Where a stream's cursor moves to. */
export type Move = CursorMove & { readonly position: object };

/** What is done with the pages of streams; one sink takes one run. */
export interface Sink<Item> {
  /**
   * Makes good for a run that ended before it finished; false where that takes another run. `positions` are where the
   * last one left the streams.
   */
  begin(positions: readonly object[]): Promise<boolean>;
  /** Takes a page in and moves the cursor: in one transaction, or so that taking the page again does no harm. */
  take(items: readonly Item[], move: Move): Promise<void>;
  finish(): Promise<Taken>;
  /** In its place where a page cannot be read: keeps what it has not kept yet of those before. */
  breakOff?(): Promise<void>;
}

export type Taken = {
  /** Different things that the pages told of. */
  readonly found: number;
  /** Those that the CRM did not take; absent where none can be refused. */
  readonly refused?: number;
  /** Rows that name no record, and that were not known before; absent where there are none. */
  readonly parked?: number;
  /** Something of what was taken is left to the next run. */
  readonly isUnfinished?: true;
  /** Why nothing was read or kept: the CRM lacks something, or does not let our user. */
  readonly stopped?: Omit<StreamStop, 'since'>;
};

export type TakenPages = Omit<Taken, 'isUnfinished'> & {
  readonly more: boolean;
  /** Since when a person has it paused, ISO: nothing was read. Absent where it is not. */
  readonly pausedSince?: string;
};

/** Reads a stream from where its cursors stand by now. */
export async function readStored(
  { ledger }: Pick<ActivityDeps, 'ledger'>,
  tenant: string,
  { cursors, read }: StreamReader,
  pages: number,
): Promise<TakenPages> {
  return read(pages, await ledger.cursors(tenant, cursors));
}

/** What a stream reads, with the sink that takes it, ready to be read. */
export type StreamSource<Stream extends StreamName> = (stream: StreamOf<RowOf<Stream>>) => StreamReader;
/** Reads a stream from where its cursors stand: they are asked for with whatever else is asked before it begins. */
export type StreamReader = {
  /** Names of the cursors that it begins from. */
  readonly cursors: readonly string[];
  /** Up to so many pages, one of each part at least. `stored`: what these cursors are, in their order; null where one is not. */
  readonly read: (pages: number, stored: readonly (unknown | null)[]) => Promise<TakenPages>;
};

/** Reads the parts of a stream, one after another, into a sink that takes what they show. */
export function readInto<Cursor extends object, Item>(
  of: Reading,
  parts: readonly ChangeStream<Cursor, Item>[],
  sink: Sink<Item>,
): StreamReader {
  const streams = parts.map((part) => ({ ...part, name: cursorOf(of.name, part.part) }));
  const read: StreamReader['read'] = async (pages, stored) => {
    const positions = stored.filter((position) => position !== null) as readonly object[];
    if (!(await sink.begin(positions))) return { found: 0, more: true };
    for (const [place, { goesOn }] of streams.entries())
      if (stored[place] !== null) goesOn?.(stored[place] as Cursor);
    const { more, parked } = await readParts(of, streams, { stored, pages, sink }).catch(
      async (error: unknown) => {
        await sink.breakOff?.().catch(() => undefined);
        throw error;
      },
    );
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

/** Reads the parts in their order, until so many pages are read. */
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

/** As much of a stream as reading it takes. */
export type Reading = Pick<StreamOf<StreamRow>, 'name' | 'deps' | 'runtime'>;
type Named<Cursor extends object, Item> = ChangeStream<Cursor, Item> & { readonly name: string };

/** Where a stream begins that was never read; noted, so that it shows how long it has not been read since. */
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
