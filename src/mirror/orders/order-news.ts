import type { Notice } from '../../domain/record/owner-notices.ts';
import { oneLine } from '../../domain/record/shown-text.ts';
import type { OrderDetail } from '../../partner-api/index.ts';
import { KINDS } from '../value.ts';

/** The parts of an order's state about which the opportunity's owner gets notices: the vendor's codes and names. */
export type OrderState = {
  readonly status: string | null;
  readonly statusName: string | null;
  readonly consent: string | null;
  readonly consentName: string | null;
  /** When the vendor last changed the order (ISO). */
  readonly at: string | null;
};

/** A change of an order's state from `was` to `is`, about which the opportunity's owner gets a notice. `was` is null for a new order. */
export type OrderNews = { readonly order: string; readonly was: OrderState | null; readonly is: OrderState };

/** A new order whose last change is older than this, in ms, causes no notice. So the first load of old orders notifies no owner. */
const RECENT_MS = 86_400_000;

/** Sentences for notices about order statuses that require an action of the partner or are easily overlooked (order spec 2.6). */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  WCCO: 'It waits for the consent of the final customer.',
  WCC: 'It waits for the consent of the final customer.',
  CRFU: 'The final customer refused consent.',
  RJTV: 'It was sent back to us.',
  RJVS: 'It was sent back to us.',
};

/** Sentences for notices about online consent codes (order spec 2.6). A code that is not listed causes no notice. */
const CONSENT_WORDS: Readonly<Record<string, string>> = {
  S: 'Consent was asked for online.',
  A: 'Consent was given online.',
  R: 'Consent was refused online.',
  T: 'The online request for consent has expired.',
};

export function stateOfOrder({ transaction, onlineConsentStatus, lastUpdateDateTime }: OrderDetail): OrderState {
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
 * The change of an order that needs a notice to the opportunity's owner. Null if no change needs a notice, or if the known state is newer.
 * `now`: ISO. Pure.
 */
export function newsOf(order: string, was: OrderState | null, is: OrderState, now: string): OrderNews | null {
  if (isOlder(is, was)) return null;
  if (was === null && !isRecent(is, now)) return null;
  return isNews(was, is) ? { order, was, is } : null;
}

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

/** The maximum length of a status name in a message, in characters. */
const MOST_CHARACTERS = 80;

/** The highest number of orders that one message names. */
const MOST_NAMED = 100;

/**
 * One message to an opportunity's owner about all its changed orders, in the order of the changes. Several changes of an order count as
 * one, from its first state to its last. Null if no order has a change that needs a message. Pure.
 */
export function noticeOfOrders(news: readonly OrderNews[]): Notice | null {
  const changed = [...Map.groupBy(news, ({ order }) => order)].flatMap(([order, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined || !isNews(first.was, last.is)) return [];
    return [{ order, was: first.was, is: last.is }];
  });
  const [only, ...others] = changed;
  if (only === undefined) return null;
  const left = changed.length - MOST_NAMED;
  return {
    subject: others.length === 0 ? `Vendor order ${headline(only)}` : `${changed.length} vendor orders changed`,
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
  return oneLine(name ?? code, MOST_CHARACTERS) ?? 'no status';
}

function wordsOf(table: Readonly<Record<string, string>>, code: string | null): string | null {
  return code !== null && Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}
