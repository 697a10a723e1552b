import { cursorOf, type StreamName } from './streams.ts';

/** When a stream was read, the last of its cursors; undefined where it was never begun. */
export function readOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const own = reads.filter(({ stream: cursor }) => isCursorOf(cursor, stream));
  return own.map(({ readAt }) => readAt).sort()[0];
}

/** A sweep has a cursor for each object. */
function isCursorOf(cursor: string, stream: StreamName): boolean {
  return cursor === cursorOf(stream) || cursor.startsWith(cursorOf(stream, ''));
}
