import type { OrderDetail } from '../../partner-api/index.ts';
import { KINDS } from '../value.ts';

/** What of an order its opportunity's owner is told of: codes, and the names that the vendor's documents give them. */
export type OrderState = {
  readonly status: string | null;
  readonly statusName: string | null;
  readonly consent: string | null;
  readonly consentName: string | null;
  /** When the vendor changed it last (ISO). */
  readonly at: string | null;
};

/** A change of an order: from what was known of it, null where nothing was, to what it shows. */
export type OrderNews = { readonly order: string; readonly was: OrderState | null; readonly is: OrderState };

/** An order that nobody knew is news so long after its last change: what a first load finds is none. */
const RECENT_MS = 86_400_000;

/** What a status asks of the partner, or tells that is easily overlooked (order spec 2.6). */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  WCCO: 'It waits for the consent of the final customer.',
  WCC: 'It waits for the consent of the final customer.',
  CRFU: 'The final customer refused consent.',
  RJTV: 'It was sent back to us.',
  RJVS: 'It was sent back to us.',
};

/** What an online consent tells (order spec 2.6); any other value of it is no news. */
const CONSENT_WORDS: Readonly<Record<string, string>> = {
  S: 'Consent was asked for online.',
  A: 'Consent was given online.',
  R: 'Consent was refused online.',
  T: 'The online request for consent has expired.',
};

export function stateOfOrder({
  transaction,
  onlineConsentStatus,
  lastUpdateDateTime,
}: OrderDetail): OrderState {
  const { status } = transaction;
  return {
    status: KINDS.code(status),
    statusName: KINDS.name(status?.name),
    consent: KINDS.code(onlineConsentStatus),
    consentName: KINDS.name(onlineConsentStatus?.name),
    at: KINDS.instant(lastUpdateDateTime),
  };
}

/**
 * What a reading of an order tells that is worth telling a person; null for nothing, or for an older state than is known, as a worker
 * may bring that was paused. `now` is ISO. Pure.
 */
export function newsOf(order: string, was: OrderState | null, is: OrderState, now: string): OrderNews | null {
  if (isOlder(is, was)) return null;
  if (was === null && !isRecent(is, now)) return null;
  return isNews(was, is) ? { order, was, is } : null;
}

/** Whether a state is older than another. */
export function isOlder({ at }: OrderState, than: OrderState | null): boolean {
  return at !== null && (than?.at ?? null) !== null && Date.parse(at) < Date.parse(than?.at ?? '');
}

function isRecent({ at }: OrderState, now: string): boolean {
  return at !== null && Date.parse(now) - Date.parse(at) <= RECENT_MS;
}

function isNews(was: OrderState | null, is: OrderState): boolean {
  if (is.status !== null && is.status !== (was?.status ?? null)) return true;
  return is.consent !== (was?.consent ?? null) && wordsOf(CONSENT_WORDS, is.consent) !== null;
}

/** A message in plain words. It names orders and what became of them, and no person. */
export type OrderNotice = { readonly subject: string; readonly body: string };

/** So many orders are named in one message, which has room for more. */
const MOST_NAMED = 100;

/**
 * What the owner of one opportunity is told of all its orders that changed, in the order of the news; null where each is as it was. Of
 * several changes of an order the last state counts. Pure.
 */
export function noticeOf(news: readonly OrderNews[]): OrderNotice | null {
  const changed = [...Map.groupBy(news, ({ order }) => order)].flatMap(([order, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined || !isNews(first.was, last.is)) return [];
    return [{ order, was: first.was, is: last.is }];
  });
  const [only, ...others] = changed;
  if (only === undefined) return null;
  const left = changed.length - MOST_NAMED;
  return {
    subject:
      others.length === 0 ? `Vendor order ${headline(only)}` : `${changed.length} vendor orders changed`,
    body: [
      ...changed.slice(0, MOST_NAMED).map(sentenceOf),
      ...(left > 0 ? [`And ${left} more: the list of orders on the opportunity shows them.`] : []),
    ].join('\n'),
  };
}

function headline({ order, is }: OrderNews): string {
  return `${order}: ${nameOf(is.statusName, is.status)}`;
}

function sentenceOf({ order, was, is }: OrderNews): string {
  const now = nameOf(is.statusName, is.status);
  const isSame = was !== null && was.status === is.status;
  const before = was === null || isSame ? '' : ` (was ${nameOf(was.statusName, was.status)})`;
  const sentences = [
    isSame ? null : wordsOf(STATUS_WORDS, is.status),
    is.consent === (was?.consent ?? null) ? null : wordsOf(CONSENT_WORDS, is.consent),
  ];
  return [`Order ${order}: ${now}${before}.`, ...sentences.flatMap((words) => words ?? [])].join(' ');
}

function nameOf(name: string | null, code: string | null): string {
  return name ?? code ?? 'no status';
}

function wordsOf(table: Readonly<Record<string, string>>, code: string | null): string | null {
  return code !== null && Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}
