import { plainCalls, racingCalls, type Store, transactionCalls } from '../core/store.ts';
import type { NoticeLedger } from './notice-ledger.ts';
import { listNotices, undeliveredOf } from './notice-lists.ts';
import { claimMessages, makeDigest, settleMessage } from './notice-messages.ts';
import { noticeStates, saveNoticeStates } from './notice-states.ts';

export function noticeCalls(store: Store): NoticeLedger {
  return {
    ...plainCalls(store, { noticeStates, undeliveredOf, listNotices }),
    ...racingCalls(store, { claimMessages, settleMessage }),
    ...transactionCalls(store, { saveNoticeStates, makeDigest }),
  };
}
