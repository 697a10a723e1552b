import type { LoggedRequest, Raw } from './http.ts';

/** Parts of a vendor record that Lockstep sends whole. */
export type Whole = 'customerContacts' | 'customerLegalEntity';

type Request = LoggedRequest & {
  /** The writer of the request. */
  readonly hand: string | undefined;
  /** When an update left that the vendor executed late. */
  readonly leftMs?: number | undefined;
};

/** A vendor user's entry in a part that is sent whole. `takes`: whether a sent part removes the entry. */
type Entry = {
  readonly part: Whole;
  readonly atMs: number;
  readonly takes: (sent: unknown) => boolean;
};

/**
 * Whether an update removed a vendor user's entry made after the read on which the update is based; the vendor's API does not show this
 * (docs/invariants.md). That read is by the same writer, at most a minute old, and followed only by updates of the same part. Reads after
 * the entry make it known. An update that the vendor executes late removes entries since the last read before it left, whatever was read
 * later. Pure.
 */
export function wentUnseen(requests: readonly Request[], lead: Raw, { part, atMs, takes }: Entry): boolean {
  const ours = requests.filter(({ path }) => path.endsWith(`/${String(lead['id'])}`));
  const isLate = ({ leftMs, time }: Request): boolean =>
    leftMs !== undefined && lastReadMs(ours, leftMs) < atMs && Date.parse(time) >= atMs;
  if (ours.some((one) => isLate(one) && hasSent(one, part) && takes(partOf(one, part)))) return true;
  const place = ours.findIndex((one) => Date.parse(one.time) >= atMs && hasSent(one, part));
  const update = ours[place];
  if (update === undefined || !takes(partOf(update, part))) return false;
  const since = ours.findLastIndex(
    (one, at) => at < place && isReading(one) && one.hand === update.hand && Date.parse(one.time) < atMs,
  );
  const reading = ours[since];
  if (reading === undefined || Date.parse(update.time) > Date.parse(reading.time) + OLDEST_MS) return false;
  return ours
    .slice(since + 1, place)
    .every((one) => !(isReading(one) && Date.parse(one.time) >= atMs) && (!isUpdate(one) || hasSent(one, part)));
}

/** When the record was last read before an instant. */
function lastReadMs(ours: readonly Request[], beforeMs: number): number {
  const times = ours.filter(isReading).map(({ time }) => Date.parse(time));
  return Math.max(Number.NEGATIVE_INFINITY, ...times.filter((ms) => ms < beforeMs));
}

/** The longest time between a read and the write based on it, plus some transport time. */
const OLDEST_MS = 62_000;

function isReading({ operation, status, fault }: Request): boolean {
  return operation === 'readLeadOpportunity' && status === 200 && fault === null;
}

/** Whether the request is an update that may have been executed. */
function isUpdate({ operation, status }: Request): boolean {
  return operation === 'updateLeadOpportunity' && (status ?? 200) < 300;
}

function hasSent(request: Request, part: Whole): boolean {
  return isUpdate(request) && partOf(request, part) !== undefined;
}

function partOf({ body }: Request, part: Whole): unknown {
  return (body as Raw | null)?.[part];
}
