import type { Work } from '../../src/domain/loop/operation-groups.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { LinkIds } from '../../src/ledger/ledger.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { wakeUnwoken } from './wake-due.ts';

/** One source of changes that is read page by page, with a cursor of its own in the ledger. */
export type ChangeStream<Cursor extends object> = {
  /** What the cursor is stored under. */
  readonly name: string;
  /** Where reading begins when nothing was read before. `now` is ISO. */
  readonly first: (now: string) => Cursor;
  readonly readPage: (cursor: Cursor) => Promise<ChangePage<Cursor>>;
};

export type ChangePage<Cursor> = {
  /** Records to look at. */
  readonly ids: readonly LinkIds[];
  /** Where the next page begins. */
  readonly cursor: Cursor;
  /** The present is not reached yet. */
  readonly more: boolean;
};

/** How streams are read, one after another. */
export type StreamRun = {
  /** What this counts as when a group of operations is out. */
  readonly work: Work;
  /** What the records are told they are looked at for. */
  readonly cause: Cause;
  /** Pages of one run; what is left, the next one reads. */
  readonly pages: number;
};

export type TakenIn<Cursor> = {
  /** Different records that were marked due. */
  readonly found: number;
  readonly more: boolean;
  /** Where the streams stand that were read. */
  readonly cursors: readonly Cursor[];
};

/**
 * Takes in what streams have to tell. A cursor moves in the transaction that marks the records of its page due; they
 * are woken at the end, each once. What a run had marked when it died is noted with the cursor, and woken by the next.
 */
export async function takeInChanges<Cursor extends object>(
  deps: ActivityDeps,
  tenant: string,
  streams: readonly ChangeStream<Cursor>[],
  { work, cause, pages }: StreamRun,
): Promise<TakenIn<Cursor>> {
  await refuseWhilePaused(deps, tenant, work);
  const read: StreamRead<Cursor>[] = [];
  let left = pages;
  for (const { stream, cursor } of await openCursors(deps, tenant, streams)) {
    const one = await readStream(deps, tenant, stream, cursor, left);
    read.push(one);
    left -= one.pages;
    if (one.more) break;
  }
  const keys = new Set(read.flatMap((one) => one.keys));
  if (keys.size > 0) await deps.wake(tenant, [...keys], cause);
  for (const { stream, cursor, keys: marked } of read)
    if (marked.length > 0) await deps.ledger.saveCursor(tenant, stream.name, cursor, deps.now());
  return {
    found: keys.size,
    more: read.at(-1)?.more ?? false,
    cursors: read.map((one) => one.cursor),
  };
}

/** Noted with a cursor: records were marked due with it, and not all of them are known to have been woken. */
type Stored<Cursor> = Cursor & { readonly unwoken?: true };
type Opened<Cursor extends object> = { readonly stream: ChangeStream<Cursor>; readonly cursor: Cursor };

/** Where each stream is to be read on. Wakes what an earlier run left unwoken. */
async function openCursors<Cursor extends object>(
  deps: ActivityDeps,
  tenant: string,
  streams: readonly ChangeStream<Cursor>[],
): Promise<readonly Opened<Cursor>[]> {
  const opened = await Promise.all(
    streams.map(async (stream) => {
      const stored = (await deps.ledger.cursor(tenant, stream.name)) as Stored<Cursor> | null;
      const { unwoken, ...cursor } = stored ?? (stream.first(deps.now()) as Stored<Cursor>);
      return { stream, cursor: cursor as unknown as Cursor, unwoken };
    }),
  );
  if (opened.some(({ unwoken }) => unwoken === true)) await wakeUnwoken(deps, tenant);
  return opened;
}

type StreamRead<Cursor extends object> = Opened<Cursor> & {
  /** Keys of the records that were marked due. */
  readonly keys: readonly string[];
  readonly pages: number;
  readonly more: boolean;
};

/** Reads a stream up to its end, or up to so many pages, one at least. */
async function readStream<Cursor extends object>(
  deps: ActivityDeps,
  tenant: string,
  stream: ChangeStream<Cursor>,
  start: Cursor,
  mostPages: number,
): Promise<StreamRead<Cursor>> {
  const keys: string[] = [];
  let at = { cursor: start, more: true };
  let pages = 0;
  do {
    const page = await stream.readPage(at.cursor);
    const isMarked = keys.length > 0 || page.ids.length > 0;
    const position: Stored<Cursor> = isMarked ? { ...page.cursor, unwoken: true } : page.cursor;
    keys.push(
      ...(await deps.ledger.markDue(tenant, page.ids, deps.now(), { stream: stream.name, position })),
    );
    at = page;
    pages += 1;
  } while (at.more && pages < mostPages);
  return { stream, ...at, keys, pages };
}
